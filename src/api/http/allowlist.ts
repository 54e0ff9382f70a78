import { BlockList, isIP } from 'node:net'
import { ApiError } from '../contract/errors.ts'
import type { ProgramRecord } from '../store/world.ts'

const LOOPBACK = ['127.0.0.0/8', '::1/128']

interface AccessOptions {
  /** The address the sandbox listens on. */
  readonly host: string
  /** `--allow`: networks that may call in addition to the allowlists of Programs. */
  readonly allow: readonly string[]
  /** `--allow-host`: host names in addition to the loopback ones. */
  readonly allow_host: readonly string[]
}

const MAX_CALLERS_PER_PROGRAM = 1_000

/** Checks where a request comes from, and which host and origin it names. */
export class Allowlist {
  readonly #allowed: BlockList
  readonly #operators: BlockList
  readonly #hosts: ReadonlySet<string>
  /** That was accepted. */
  #latestHost: string | undefined
  /** Callers that passed, by the present record of their Program: checking networks costs more than the rest of a GET. */
  readonly #passed = new WeakMap<ProgramRecord, Set<string>>()

  constructor({ host, allow, allow_host }: AccessOptions) {
    this.#allowed = networks(allow)
    this.#operators = networks([...LOOPBACK, ...allow])
    this.#hosts = new Set([host, ...allow_host].map((name) => name.toLowerCase()))
  }

  /** Section 5: requests must come from addresses on the Program's allowlist, in all environments. */
  check(address: string | undefined, program: ProgramRecord) {
    if (this.accepts(address, program)) return
    const caller = withoutIpv4Prefix(address ?? '')
    throw new ApiError('notAllowed', undefined, `${caller} is not on the allowlist of Program ${program.uid}`)
  }

  accepts(address: string | undefined, program: ProgramRecord): boolean {
    const passed = this.#passed.get(program) ?? new Set()
    if (address !== undefined && passed.has(address)) return true
    const caller = withoutIpv4Prefix(address ?? '')
    if (!contains(networks(program.allowlist), caller) && !contains(this.#allowed, caller)) return false
    if (address !== undefined && passed.size < MAX_CALLERS_PER_PROGRAM) this.#passed.set(program, passed.add(address))
    return true
  }

  /** The control API has no Program: it takes loopback addresses and those of `--allow`. */
  checkOperator(address: string | undefined) {
    const caller = withoutIpv4Prefix(address ?? '')
    if (!contains(this.#operators, caller))
      throw new ApiError('notAllowed', `${caller} is not an address of this machine: start with --allow ${caller}/32`)
  }

  checkHost(header: string | undefined) {
    if (header !== undefined && header === this.#latestHost) return
    const name = hostName(header)
    if (name !== undefined && (isLoopbackName(name) || this.#hosts.has(name))) return void (this.#latestHost = header)
    throw new ApiError('notAllowed', `Host ${name ?? '(none)'}: start with --allow-host ${name ?? 'NAME'}`)
  }

  /** Browsers send the origin of the page. Only the window may call, from the host that served it. */
  checkOrigin(origin: string | undefined, host: string | undefined) {
    if (origin === undefined || origin === `http://${host}`) return
    throw new ApiError('notAllowed', `Origin ${origin} is not the window of this sandbox`)
  }
}

/** `localhost:4010` → `localhost`, `[::1]:4010` → `::1` */
function hostName(header: string | undefined): string | undefined {
  const match = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d+)?$/i.exec(header ?? '')
  return (match?.[1] ?? match?.[2])?.toLowerCase()
}

const isLoopbackName = (name: string) =>
  name === 'localhost' || name.endsWith('.localhost') || name === '127.0.0.1' || contains(loopback, name)

/** A dual-stack socket reports IPv4 callers as ::ffff:127.0.0.1. */
const withoutIpv4Prefix = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '')

const contains = (list: BlockList, address: string) => {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** Parses a network, such as `127.0.0.0/8`, or an address; undefined if it is neither. */
export function parseCidr(text: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | undefined {
  const [address = '', bits, rest] = text.split('/')
  const version = isIP(address)
  const max = version === 6 ? 128 : 32
  const prefix = bits === undefined ? max : /^\d{1,3}$/.test(bits) ? Number(bits) : -1
  if (version === 0 || rest !== undefined || prefix < 0 || prefix > max) return undefined
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
