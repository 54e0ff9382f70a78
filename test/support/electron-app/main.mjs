// The app in a real Electron, except for what a test cannot click: native dialogs are answered from a list, context menus and notifications
// are kept. What the test reads and adds is in globalThis.desk.
import { dialog, Menu, shell } from 'electron'

const dialogs = []
const answers = JSON.parse(process.env.SANDBANK_TEST_ANSWERS ?? '[]')
const popups = []
const shown = []
globalThis.desk = { answers, dialogs, popups, shown }

/** Dialogs get their window first, if they belong to one. */
const keep = (kind, args, text, buttons = []) =>
  dialogs.push({
    kind,
    text,
    buttons,
    hasParent: args.length > 1 && args[0] !== undefined,
    defaultPath: args.at(-1).defaultPath,
    defaultId: args.at(-1).defaultId,
  })

const showMessageBox = dialog.showMessageBox.bind(dialog)
dialog.showMessageBox = async (...args) => {
  const { message, detail, buttons = [], type } = args.at(-1)
  keep(type, args, [message, detail].filter(Boolean).join('\n'), buttons)
  const answer = answers.shift()
  // The real one, which nobody clicks.
  if (answer === 'wait') return showMessageBox(...args)
  // As Electron answers when the user closes the dialog.
  const response = answer === undefined ? buttons.length - 1 : buttons.findIndex((one) => one.startsWith(answer))
  return { response, checkboxChecked: false }
}
dialog.showOpenDialog = async (...args) => {
  keep('open', args, args.at(-1).title)
  const path = answers.shift()
  return { canceled: path === undefined, filePaths: path === undefined ? [] : [path] }
}
dialog.showSaveDialog = async (...args) => {
  keep('save', args, args.at(-1).title)
  const path = answers.shift()
  const canceled = path === undefined || path === 'Cancel'
  return { canceled, filePath: canceled ? '' : path }
}
dialog.showErrorBox = (title, content) => keep('error', [{}], `${title}\n${content}`)
Menu.prototype.popup = function popup(options = {}) {
  popups.push({ menu: this, options })
}
shell.openPath = async (path) => {
  shown.push(path)
  return ''
}

await import('../../../out/main/index.js')
