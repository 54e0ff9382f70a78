// Loaded before the sandbox by `node --import`. The file that SANDBANK_BAD_DISK names holds one word. `full`: each write stores half of
// its bytes, then fails with ENOSPC, and so does cutting them off again. `read-only`: opening a file for writing fails. Without the
// file the disk works.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { existsSync, readFileSync, writeSync, openSync, ftruncateSync } = fs
const state = () =>
  existsSync(process.env.SANDBANK_BAD_DISK) ? readFileSync(process.env.SANDBANK_BAD_DISK, 'utf8') : ''
const failure = (code, message) => Object.assign(new Error(`${code}: ${message}`), { code })

fs.writeSync = (file, bytes, at, length, position) => {
  if (state() !== 'full') return writeSync(file, bytes, at, length, position)
  if (at > 0 || length < 2) throw failure('ENOSPC', 'no space left on device, write')
  return writeSync(file, bytes, at, Math.floor(length / 2), position)
}
fs.ftruncateSync = (file, length) => {
  if (state() === 'full') throw failure('ENOSPC', 'no space left on device, ftruncate')
  ftruncateSync(file, length)
}
fs.openSync = (path, flags, mode) => {
  if (state() === 'read-only' && flags !== 'r') throw failure('EROFS', `read-only file system, open '${path}'`)
  return openSync(path, flags, mode)
}
syncBuiltinESMExports()
