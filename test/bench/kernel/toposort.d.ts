declare module "toposort" {
  const toposort: { array(nodes: readonly string[], edges: readonly (readonly [string, string])[]): string[] };
  export default toposort;
}
