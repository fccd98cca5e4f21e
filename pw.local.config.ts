import base from "./playwright.config";
const { globalSetup: _g, ...rest } = base as any;
export default { ...rest, reporter: [["list"]], use: { ...rest.use, baseURL: process.env.PLANWRIGHT_E2E_URL } };
