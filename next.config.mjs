/**
 * The web server is server/web.ts: it sets the security headers and ends streams when it is told to stop.
 * @type {import("next").NextConfig}
 */
export default {
  poweredByHeader: false,
  // Each build has a folder of its own: building again must not pull the files away under a running server.
  ...(process.env.PLANWRIGHT_BUILD && { distDir: process.env.PLANWRIGHT_BUILD }),
  // The server's own address, under which development pages may be opened besides localhost.
  allowedDevOrigins: ["127.0.0.1"],
  // `npm test` checks types: whoever starts the product need not wait for it again.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["graphile-worker", "pg", "pino"],
  experimental: { optimizePackageImports: ["radix-ui"] },
};
