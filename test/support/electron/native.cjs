// Imports the built main process as Node does, not as Vitest does: Vitest would transform the whole bundle for each start. A
// loader hook answers the import of `electron` with the double of that start.
const { register } = require('node:module')

register(new URL('./electron-loader.mjs', require('node:url').pathToFileURL(__filename)))

const doubles = (globalThis[Symbol.for('sandbank.electronDoubles')] ??= [])

/** Evaluates the module anew; its `electron` is the given object. */
exports.importWithElectron = (url, electron) => {
  const start = doubles.push(electron) - 1
  return import(`${url}?electron=${start}`)
}
