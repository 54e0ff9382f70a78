import { parseSync } from 'oxc-parser'

/** The modules that a built file imports when it is loaded. */
export function importsOf(text: string): string[] {
  const { staticImports, staticExports } = parseSync('built.mjs', text).module
  const exported = staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest?.value ?? []))
  return [...staticImports.map(({ moduleRequest }) => moduleRequest.value), ...exported]
}
