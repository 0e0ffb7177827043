/**
 * The address of a module for a worker thread: `.ts` in a clone, where Node runs the sources, and
 * `.js` in an installed package. The compiler rewrites imports but not addresses.
 */
export function moduleBeside(name: `./${string}.ts`, moduleUrl: string): URL {
  return new URL(moduleUrl.endsWith('.ts') ? name : name.replace(/\.ts$/, '.js'), moduleUrl)
}
