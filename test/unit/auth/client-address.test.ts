import { expect, test } from "vitest";
import { clientAddress } from "../../../server/auth/client-address";

test("a client that is connected directly cannot choose its address", () => {
  expect(clientAddress("203.0.113.9", "10.0.0.1", [])).toBe("203.0.113.9");
});

test("behind a known proxy it is the last address that the proxies did not add themselves", () => {
  const proxies = ["192.0.2.1", "192.0.2.2"];
  expect(clientAddress("::ffff:192.0.2.1", "1.1.1.1, 203.0.113.9, 192.0.2.2", proxies)).toBe("203.0.113.9");
});

test("a proxy that says nothing is its own client", () => {
  expect(clientAddress("192.0.2.1", undefined, ["192.0.2.1"])).toBe("192.0.2.1");
});
