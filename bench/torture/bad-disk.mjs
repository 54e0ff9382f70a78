// Stands before the sandbox in its own process (node --import). The file that SANDBANK_BAD_DISK names holds a word:
// `full`, and every write gets half of its bytes onto the disk and then finds no room, not even for cutting off what is
// half; `read-only`, and nothing can be opened for writing. Without the file all is as always.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { existsSync, readFileSync, writeSync, openSync, ftruncateSync } = fs
const state = () =>
  existsSync(process.env.SANDBANK_BAD_DISK) ? readFileSync(process.env.SANDBANK_BAD_DISK, 'utf8') : ''
const failure = (code, words) => Object.assign(new Error(`${code}: ${words}`), { code })

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
