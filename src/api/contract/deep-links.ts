import { type CollectionName, isCollection } from './collection-names.ts'
import { BUNDLE, endingOf } from './file-kinds.ts'
import { escapeControls } from './terms/texts.ts'

/**
 * `sandbank://` addresses, which other programs open in the desktop app. Any web page can open one, too: an address shows a page or asks
 * a question, and changes nothing.
 */

export type DeepLink =
  | { readonly kind: 'page'; readonly address: string; readonly world: string | null }
  | { readonly kind: 'bundle'; readonly path: string }

export const isDeepLink = (text: string): boolean => /^sandbank:/i.test(text)

/** `world` is the name of a world, or null for the root world. */
export const recordLink = (collection: CollectionName, uid: string, world: string | null): string =>
  `sandbank://record/${collection}/${encodeURIComponent(uid)}${world === null ? '' : `?world=${world}`}`

const MAX_LENGTH = 2_000
const FORMS = 'sandbank://record/<collection>/<uid>, sandbank://commit/<number> or sandbank://bundle/?path=<file>'
const A_BUNDLE = 'the full path of a .sandbank file on this computer, without ..'

const RECORD = /^sandbank:\/\/record\/([a-z_]{1,60})\/([\w-]{1,100})$/i
const COMMIT = /^sandbank:\/\/commit\/([1-9]\d{0,14})\/?$/i
const BUNDLE_ADDRESS = /^sandbank:\/\/bundle\/?$/i
const WORLD = /^[a-z0-9-]{1,63}$/

/** Returns a text that says why, for an address that does not have exactly one of the known forms. */
export function parseDeepLink(text: string, platform: string): DeepLink | string {
  if (text.length > MAX_LENGTH) return `The address has ${text.length} characters; at most ${MAX_LENGTH} are read.`
  const refusal = `${show(text)} is no address that Sandbank knows; expected is ${FORMS}.`
  const [place = '', ...rest] = text.split('?')
  const values = [...new URLSearchParams(rest.join('?'))]
  const [name, value = ''] = values[0] ?? []
  if (values.length > 1 || text.includes('#')) return refusal
  if (BUNDLE_ADDRESS.test(place)) {
    if (name !== 'path') return refusal
    return isLocalBundle(value, platform)
      ? { kind: 'bundle', path: value }
      : `${show(value)} cannot be opened by an address; expected is ${A_BUNDLE}.`
  }
  const address = addressOf(place)
  if (address === undefined || (name !== undefined && !(name === 'world' && WORLD.test(value)))) return refusal
  return { kind: 'page', address, world: name === undefined ? null : value }
}

/** In the window. */
function addressOf(place: string): string | undefined {
  const [, collection, uid] = RECORD.exec(place) ?? []
  if (isCollection(collection)) return `#/${collection}/${uid}`
  const [, seq] = COMMIT.exec(place) ?? []
  return seq === undefined ? undefined : `#/?line=operations&commit=${seq}`
}

/** A path that names another machine is refused: Windows would sign in there. */
function isLocalBundle(path: string, platform: string): boolean {
  const [drive = '', ...steps] = path.split(platform === 'win32' ? '\\' : '/')
  const isFull = platform === 'win32' ? /^[a-z]:$/i.test(drive) && !/[/:]/.test(steps.join()) : drive === ''
  const isShortest = steps.length > 0 && steps.every((step) => step !== '' && !/^\.+$/.test(step))
  return isFull && isShortest && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(path) && endingOf(path) === BUNDLE
}

/** On one line. */
const show = (text: string) => escapeControls(JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text))
