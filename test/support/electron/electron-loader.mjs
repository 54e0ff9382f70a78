// Loader hooks of Node: a module that was imported with `?electron=N` finds the Nth double under the name `electron`.
const NAMES = [
  'app',
  'BrowserWindow',
  'Menu',
  'Notification',
  'Tray',
  'clipboard',
  'crashReporter',
  'dialog',
  'ipcMain',
  'nativeTheme',
  'protocol',
  'screen',
  'session',
  'shell',
]

export function resolve(specifier, context, next) {
  const start = specifier === 'electron' && /\?electron=(\d+)$/.exec(context.parentURL ?? '')?.[1]
  return start ? { url: `electron-double:${start}`, shortCircuit: true } : next(specifier, context)
}

export function load(url, context, next) {
  if (!url.startsWith('electron-double:')) return next(url, context)
  const double = `globalThis[Symbol.for('sandbank.electronDoubles')][${url.slice('electron-double:'.length)}]`
  const source = NAMES.map((name) => `export const ${name} = ${double}.${name}`).join('\n')
  return { format: 'module', source, shortCircuit: true }
}
