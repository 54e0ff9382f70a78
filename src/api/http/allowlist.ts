import { BlockList, isIP } from 'node:net'
import { ApiError } from '../contract/errors.ts'
import type { ProgramRecord } from '../store/world.ts'

export const LOOPBACK = ['127.0.0.0/8', '::1/128']

export interface Openings {
  /** The address listened on. */
  readonly host: string
  /** Networks that may call, whatever a Program's allowlist says: `--allow`. */
  readonly allow: readonly string[]
  /** Names under which callers may know us besides the loopback ones: `--allow-host`. */
  readonly allow_host: readonly string[]
}

const MOST_REMEMBERED = 1_000

/** Who may call, and by which name. */
export class Allowlist {
  readonly #allowed: BlockList
  readonly #operators: BlockList
  readonly #hosts: ReadonlySet<string>
  /** The callers that a Program, as it is now, lets in: looking through networks costs more than answering. */
  readonly #letIn = new WeakMap<ProgramRecord, Set<string>>()

  constructor({ host, allow, allow_host }: Openings) {
    this.#allowed = networks(allow)
    this.#operators = networks([...LOOPBACK, ...allow])
    this.#hosts = new Set([host, ...allow_host].map((name) => name.toLowerCase()))
  }

  /** Section 5: requests must come from addresses on the Program's allowlist, in all environments. */
  check(address: string | undefined, program: ProgramRecord) {
    const known = this.#letIn.get(program) ?? new Set()
    if (address !== undefined && known.has(address)) return
    const caller = plain(address ?? '')
    if (!contains(networks(program.allowlist), caller) && !contains(this.#allowed, caller))
      throw new ApiError('notAllowed', undefined, `${caller} is not on the allowlist of Program ${program.uid}`)
    if (address !== undefined && known.size < MOST_REMEMBERED) this.#letIn.set(program, known.add(address))
  }

  /** The operator's door knows no Program: loopback, and what was opened on purpose. */
  checkOperator(address: string | undefined) {
    const caller = plain(address ?? '')
    if (!contains(this.#operators, caller))
      throw new ApiError('notAllowed', `${caller} is no address of this machine: start with --allow ${caller}/32`)
  }

  checkHost(header: string | undefined) {
    const name = hostName(header)
    if (name !== undefined && (isLoopbackName(name) || this.#hosts.has(name))) return
    throw new ApiError('notAllowed', `Host ${name ?? '(none)'}: start with --allow-host ${name ?? 'NAME'}`)
  }

  /** A browser names the page that asks. Only our own page, on the very address it was served from, may. */
  checkOrigin(origin: string | undefined, host: string | undefined) {
    if (origin === undefined || origin === `http://${host}`) return
    throw new ApiError('notAllowed', `Origin ${origin} is not this window`)
  }
}

/** `localhost:4010` → `localhost`, `[::1]:4010` → `::1` */
function hostName(header: string | undefined): string | undefined {
  const match = /^(?:\[([\da-f:.]+)\]|([^:/[\]]+))(?::\d+)?$/i.exec(header ?? '')
  return (match?.[1] ?? match?.[2])?.toLowerCase()
}

const isLoopbackName = (name: string) =>
  name === 'localhost' || name.endsWith('.localhost') || name === '127.0.0.1' || contains(loopback, name)

/** IPv4 callers of a dual-stack socket come as ::ffff:127.0.0.1. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '')

const contains = (list: BlockList, address: string) => {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** undefined when it is no network: `127.0.0.0/8`, `::1/128`, or one address. */
export function parseCidr(text: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | undefined {
  const [address = '', bits, more] = text.split('/')
  const version = isIP(address)
  const most = version === 6 ? 128 : 32
  const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : -1
  if (version === 0 || more !== undefined || prefix < 0 || prefix > most) return undefined
  return { address, prefix, family: version === 6 ? 'ipv6' : 'ipv4' }
}

function networks(cidrs: readonly string[]): BlockList {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const network = parseCidr(cidr)
    if (network) list.addSubnet(network.address, network.prefix, network.family)
  }
  return list
}

const loopback = networks(LOOPBACK)
