import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CLIENT_ADDRESS_HEADER, DIRECT_HEADER } from "../../../server/auth/client-address";
import { renderMetrics } from "../../../server/metrics/exposition";
import { BOUNDS_SECONDS, Histogram, histogramSamples } from "../../../server/metrics/histogram";
import { mayScrape } from "../../../server/metrics/may-scrape";
import { readExposition } from "../../support/read-exposition";

describe("the text that Prometheus reads", () => {
  it("gives back every label and value, whatever characters they hold", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), fc.double(), (label, help, value) => {
        const family = { name: "a_metric", help, type: "gauge", samples: [{ labels: { of: label }, value }] } as const;
        const [sample] = readExposition(renderMetrics([family])).get("a_metric")?.samples ?? [];
        expect(sample?.labels.get("of")).toBe(label);
        expect(Object.is(sample?.value, value) || (value === 0 && sample?.value === 0)).toBe(true);
      }),
    );
  });

  it("leaves out what has no samples", () => {
    expect(renderMetrics([{ name: "empty", help: "", type: "counter", samples: [] }])).toBe("\n");
  });

  it("counts every duration in its bucket and in all that follow", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 100, noNaN: true })), (durations) => {
        const histogram = new Histogram();
        for (const seconds of durations) histogram.observe(seconds);
        const samples = histogramSamples(histogram.counts(), {});
        for (const bound of BOUNDS_SECONDS) {
          const bucket = samples.find(({ labels }) => labels?.le === String(bound));
          expect(bucket?.value).toBe(durations.filter((seconds) => seconds <= bound).length);
        }
        expect(samples.at(-1)).toMatchObject({ suffix: "_count", value: durations.length });
      }),
    );
  });
});

describe("who may scrape", () => {
  const from = (address: string, more: Record<string, string> = {}) =>
    new Headers({ [CLIENT_ADDRESS_HEADER]: address, ...more });
  const direct = { [DIRECT_HEADER]: "yes" };

  it("with a token: who sends exactly that, from anywhere", () => {
    const token = "a token of some length";
    expect(mayScrape(from("203.0.113.9", { authorization: `Bearer ${token}` }), token)).toBe(true);
    expect(mayScrape(from("127.0.0.1", { authorization: "Bearer another" }), token)).toBe(false);
    expect(mayScrape(from("127.0.0.1"), token)).toBe(false);
  });

  it("without one: only this machine, and nothing that came through a proxy", () => {
    expect(mayScrape(from("127.0.0.1", direct), undefined)).toBe(true);
    expect(mayScrape(from("::1", direct), undefined)).toBe(true);
    expect(mayScrape(from("10.0.0.1", direct), undefined)).toBe(false);
    expect(mayScrape(from("127.0.0.1"), undefined)).toBe(false);
    expect(mayScrape(new Headers(), undefined)).toBe(false);
  });
});
