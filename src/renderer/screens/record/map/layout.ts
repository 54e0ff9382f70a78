import type { CustomerMap, MapFlow, MapNode } from '../../../../api/contract/control/customer-map.ts'

/**
 * Where the map of a Customer draws its nodes and flows, in pixels. Money goes from left to right: parties that sent it, VRNs that
 * received it, accounts, VRNs that it left by, parties that received it. A party that did both is in both columns. A flow between two
 * accounts is an arc.
 */

export type Column = 'senders' | 'vrns in' | 'accounts' | 'vrns out' | 'receivers'
const COLUMNS: readonly Column[] = ['senders', 'vrns in', 'accounts', 'vrns out', 'receivers']

export interface PlacedNode extends Place {
  readonly key: string
  readonly node: MapNode
  readonly y: number
  readonly height: number
}

const PARTS = ['settled', 'returned', 'return_pending', 'pending'] as const
export type Part = (typeof PARTS)[number]

export interface PlacedFlow {
  readonly key: string
  readonly flow: MapFlow
  /** The keys of the nodes at its ends, and where it is attached to them. */
  readonly from: string
  readonly to: string
  readonly start: number
  readonly end: number
  readonly thickness: number
  /** From top to bottom: settled money that stayed, money that went back, pending money. */
  readonly parts: readonly { readonly part: Part; readonly thickness: number; readonly path: string }[]
  /** The head of an arc, as it does not go from left to right. */
  readonly arrow: string | null
}

interface Place {
  readonly column: Column
  readonly x: number
  readonly width: number
}

export interface MapLayout {
  readonly width: number
  readonly height: number
  readonly columns: readonly Place[]
  readonly nodes: readonly PlacedNode[]
  readonly flows: readonly PlacedFlow[]
}

const TOP = 28
const BOX = 40
const BOX_GAP = 8
const BOX_PADDING = 8
const MIN_BOX_WIDTH = 104
const MAX_BOX_WIDTH = 208
const [MIN_GAP, MAX_GAP] = [36, 280]
/** The room of arcs, to the right of the accounts. */
const ARC_GAP = 76
const [MIN_ARC, ARC_MARGIN] = [14, 10]
const MAX_THICKNESS = 40
const MIN_THICKNESS = 2
const FLOW_GAP = 2
const PASS_GAP = 6
/** A short column stands at the middle of a long one, but not below the first view. */
const MAX_SHIFT = 160

export function layOutMap({ nodes, flows }: Pick<CustomerMap, 'nodes' | 'flows'>, width: number): MapLayout {
  const boxes = new Map<string, Box>()
  const bands = createBands(nodes, flows, boxes)
  const shown = COLUMNS.filter((column) => [...boxes.values()].some((box) => box.column === column))
  const columns = placeColumns(shown, bands.some(isArc), width)
  for (const { column, x, width: room } of columns)
    for (const box of boxes.values()) if (box.column === column) Object.assign(box, { x, width: room })
  for (const band of bands) band.passes = passesOf(band, columns)
  for (const box of boxes.values()) box.height = Math.max(BOX, ...SIDES.map((side) => heightOfSide(box, bands, side)))
  placeVertically(shown, [...boxes.values()], bands)
  for (const box of boxes.values()) for (const side of SIDES) attach(box, side, bands)
  const last = columns.at(-1)
  const items = [...boxes.values(), ...bands.flatMap(({ passes }) => passes)]
  return {
    width: Math.max(width, last ? last.x + last.width : 0),
    height: Math.max(TOP, ...items.map(({ y, height }) => y + height)) + BOX_GAP,
    columns,
    nodes: [...boxes.values()],
    flows: bands.map(drawBand),
  }
}

// ── Nodes and flows ──────────────────────────────────────────────────────────────────────────────────────────────

interface Box extends PlacedNode {
  readonly rank: number
  y: number
  height: number
}

/** Where a flow passes a column. */
interface Pass extends Place {
  readonly band: Band
  readonly height: number
  y: number
}

interface Band {
  readonly flow: MapFlow
  readonly from: Box
  readonly to: Box
  readonly thickness: number
  readonly parts: readonly { readonly part: Part; readonly thickness: number }[]
  passes: readonly Pass[]
  start: number
  end: number
}

const isArc = ({ from, to }: Pick<Band, 'from' | 'to'>) => from.column === to.column

/** The accounts of the map have boxes even without a flow. */
function createBands(nodes: readonly MapNode[], flows: readonly MapFlow[], boxes: Map<string, Box>): Band[] {
  const ranks = new Map(nodes.map((node, rank) => [node.id, rank]))
  const boxOf = (rank: number, column: Column): Box => {
    const node = nodes[rank]!
    const key = `${column}: ${node.id}`
    const box = boxes.get(key) ?? { key, node, column, rank, x: 0, width: 0, y: 0, height: BOX }
    boxes.set(key, box)
    return box
  }
  for (const [rank, { role }] of nodes.entries()) if (role === 'account') boxOf(rank, 'accounts')
  const most = Math.max(0, ...flows.map(sizeOf))
  return flows.map((flow) => {
    const [from, to] = [ranks.get(flow.from)!, ranks.get(flow.to)!]
    const [source, destination] = [nodes[from]!.role, nodes[to]!.role]
    return {
      flow,
      from: boxOf(from, columnOf(source, 'senders', destination === 'party' ? 'vrns out' : 'vrns in')),
      to: boxOf(to, columnOf(destination, 'receivers', source === 'party' ? 'vrns in' : 'vrns out')),
      ...partsOf(flow, most),
      passes: [],
      start: 0,
      end: 0,
    }
  })
}

const columnOf = (role: MapNode['role'], party: Column, vrn: Column): Column =>
  role === 'account' ? 'accounts' : role === 'party' ? party : vrn

/** Numbers only for the drawing; the amounts are shown as they are. */
function sizesOf({ settled, returned, return_pending, pending }: MapFlow): Readonly<Record<Part, number>> {
  const [all, back, soon] = [settled, returned, return_pending].map((sum) => Number(sum.us_dollar_amount))
  return {
    // In a limited time more can be returned than has settled in it.
    settled: Math.max(0, all! - back! - soon!),
    returned: back!,
    return_pending: soon!,
    pending: Number(pending.us_dollar_amount),
  }
}

const sizeOf = (flow: MapFlow) => PARTS.reduce((sum, part) => sum + sizesOf(flow)[part], 0)

/** The thickness grows with the square root of the amount, so that small flows beside large ones can be seen. */
function partsOf(flow: MapFlow, most: number): Pick<Band, 'thickness' | 'parts'> {
  const sizes = sizesOf(flow)
  const size = sizeOf(flow)
  const present = PARTS.filter((part) => sizes[part] > 0)
  const thickness = Math.max(MIN_THICKNESS * present.length, MAX_THICKNESS * Math.sqrt(size / most))
  // Each part has its least thickness, and its share of the rest.
  const rest = thickness - MIN_THICKNESS * present.length
  return {
    thickness,
    parts: present.map((part) => ({ part, thickness: MIN_THICKNESS + rest * (sizes[part] / size) })),
  }
}

// ── Places ───────────────────────────────────────────────────────────────────────────────────────────────────────

function placeColumns(shown: readonly Column[], hasArcs: boolean, width: number): MapLayout['columns'] {
  const count = Math.max(1, shown.length)
  const leastAfter = (i: number) => (hasArcs && shown[i] === 'accounts' ? ARC_GAP : i < shown.length - 1 ? MIN_GAP : 0)
  const least = shown.reduce((sum, _, i) => sum + leastAfter(i), 0)
  const box = Math.floor(Math.min(MAX_BOX_WIDTH, Math.max(MIN_BOX_WIDTH, (width - least) / count)))
  const more = Math.max(0, width - least - box * count) / Math.max(1, count - 1)
  let x = 0
  return shown.map((column, i) => {
    const place = { column, x: Math.round(x), width: box }
    x += box + Math.min(MAX_GAP, leastAfter(i) + more)
    return place
  })
}

/** A flow that passes a column has a place of its own in it, so that it crosses no box. */
function passesOf(band: Band, columns: readonly Place[]): Pass[] {
  const [from, to] = [band.from, band.to].map((box) => columns.findIndex(({ column }) => column === box.column))
  return columns.slice(from! + 1, to).map((place) => ({ ...place, band, height: band.thickness, y: 0 }))
}

type Item = Box | Pass
const isBox = (item: Item): item is Box => 'node' in item

/** Each column is ordered by the accounts that it is connected with, and then like the column beside it, so that few flows cross. */
function placeVertically(shown: readonly Column[], boxes: readonly Box[], bands: readonly Band[]) {
  const items: readonly Item[] = [...boxes, ...bands.flatMap(({ passes }) => passes)]
  const stacks = new Map(shown.map((column) => [column, items.filter((item) => item.column === column)]))
  const accountOf = accountPositions(stacks.get('accounts') ?? [], bands)
  const beside = neighborsOf(bands)
  const places = new Map<Item, number>()
  const sort = (column: Column, like?: Column) => {
    const stack = stacks.get(column) ?? []
    const placeBeside = (item: Item) =>
      mean((beside.get(item) ?? []).filter((other) => other.column === like).map((other) => places.get(other) ?? 0))
    const keys = new Map(stack.map((item) => [item, [accountOf(item), placeBeside(item), rankOf(item)] as const]))
    stack.sort((a, b) => compareKeys(keys.get(a)!, keys.get(b)!))
    for (const [i, item] of stack.entries()) places.set(item, i)
  }
  for (const [parties, vrns] of [
    ['senders', 'vrns in'],
    ['receivers', 'vrns out'],
  ] as const) {
    sort(parties)
    sort(vrns, parties)
    sort(parties, vrns)
  }
  const gapAfter = (item: Item) => (isBox(item) ? BOX_GAP : PASS_GAP)
  const heightOf = (stack: readonly Item[]) => stack.reduce((sum, item) => sum + item.height + gapAfter(item), 0)
  const longest = Math.max(0, ...[...stacks.values()].map(heightOf))
  for (const stack of stacks.values()) {
    let y = TOP + Math.min(MAX_SHIFT, (longest - heightOf(stack)) / 2)
    for (const item of stack) {
      item.y = y
      y += item.height + gapAfter(item)
    }
  }
}

const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length)

function compareKeys(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((value, at) => value !== b[at])
  return i < 0 ? 0 : a[i]! - b[i]!
}

const rankOf = (item: Item): number =>
  isBox(item) ? item.rank : (item.band.from.node.role === 'party' ? item.band.from : item.band.to).rank

/** The mean place of the accounts that an item is connected with; a party on a VRN with those of the VRN. */
function accountPositions(accounts: readonly Item[], bands: readonly Band[]): (item: Item) => number {
  const known = new Map<Item, number>(accounts.map((item, i) => [item, i]))
  const positionOf = (item: Item): number => {
    const position = known.get(item)
    if (position !== undefined) return position
    const others = isBox(item)
      ? bands.flatMap(({ from, to }) => (from === item ? [to] : to === item ? [from] : []))
      : [item.band.from, item.band.to].filter(({ node }) => node.role === 'account')
    const isVrn = isBox(item) && item.node.role === 'vrn'
    const found = mean(others.filter(({ node }) => !isVrn || node.role === 'account').map(positionOf))
    known.set(item, found)
    return found
  }
  return positionOf
}

function neighborsOf(bands: readonly Band[]): ReadonlyMap<Item, readonly Item[]> {
  const found = new Map<Item, Item[]>()
  const add = (item: Item, other: Item) => found.set(item, [...(found.get(item) ?? []), other])
  for (const { from, passes, to } of bands) {
    const chain = [from, ...passes, to]
    for (const [i, next] of chain.slice(1).entries()) {
      add(chain[i]!, next)
      add(next, chain[i]!)
    }
  }
  return found
}

const SIDES = ['left', 'right'] as const
type Side = (typeof SIDES)[number]

/** One end of a flow at a side of a box. Both ends of an arc are on the right. */
interface Attached {
  readonly band: Band
  readonly isStart: boolean
}

const attachedTo = (box: Box, side: Side, bands: readonly Band[]): Attached[] =>
  bands.flatMap((band) => [
    ...(band.from === box && side === 'right' ? [{ band, isStart: true }] : []),
    ...(band.to === box && side === (isArc(band) ? 'right' : 'left') ? [{ band, isStart: false }] : []),
  ])

const sumOf = (ends: readonly Attached[]) =>
  ends.reduce((sum, { band }) => sum + band.thickness, 0) + FLOW_GAP * Math.max(0, ends.length - 1)

const heightOfSide = (box: Box, bands: readonly Band[], side: Side) => {
  const ends = attachedTo(box, side, bands)
  return ends.length === 0 ? 0 : sumOf(ends) + BOX_PADDING
}

/**
 * The flows of a side are in the order of where they come from, or go to. Arcs are above or below the others, the shortest at the edge,
 * so that they lie within each other.
 */
function attach(box: Box, side: Side, bands: readonly Band[]) {
  const placeOf = ({ band, isStart }: Attached): readonly number[] => {
    const item = isStart ? (band.passes[0] ?? band.to) : (band.passes.at(-1) ?? band.from)
    const middle = item.y + item.height / 2
    if (!isArc(band)) return [0, middle]
    const rank = bands.indexOf(band)
    const distance = Math.abs(middle - box.y)
    return middle < box.y ? [-1, distance, -rank] : [1, -distance, rank]
  }
  const ends = attachedTo(box, side, bands).map((end) => [placeOf(end), end] as const)
  let y = box.y + (box.height - sumOf(ends.map(([, end]) => end))) / 2
  for (const [, { band, isStart }] of ends.sort(([a], [b]) => compareKeys(a, b))) {
    if (isStart) band.start = y
    else band.end = y
    y += band.thickness + FLOW_GAP
  }
}

// ── Paths ────────────────────────────────────────────────────────────────────────────────────────────────────────

function drawBand(band: Band): PlacedFlow {
  const { flow, from, to, thickness, start, end } = band
  let offset = 0
  const parts = band.parts.map(({ part, thickness: own }) => {
    const path = isArc(band) ? arcPath(band, offset, own) : ribbonPath(band, offset, own)
    offset += own
    return { part, thickness: own, path }
  })
  return {
    key: `${flow.from} → ${flow.to}`,
    flow,
    from: from.key,
    to: to.key,
    start,
    end,
    thickness,
    parts,
    arrow: isArc(band) ? arrowPath(rightOf(to), end + thickness / 2, thickness) : null,
  }
}

const rightOf = ({ x, width }: Place) => x + width

/** Through the places where the flow passes other columns. */
function ribbonPath({ from, to, passes, start, end }: Band, offset: number, own: number) {
  const points: readonly (readonly [x: number, y: number])[] = [
    [rightOf(from), start + offset],
    ...passes.flatMap((pass) => [[pass.x, pass.y + offset] as const, [rightOf(pass), pass.y + offset] as const]),
    [to.x, end + offset],
  ]
  const there = points.slice(1).map((point, i) => curve(points[i]!, point))
  const below = points.map(([x, y]) => [x, y + own] as const).reverse()
  const back = below.slice(1).map((point, i) => curve(below[i]!, point))
  return `M${at(points[0]!)}${there.join('')}L${at(below[0]!)}${back.join('')}Z`
}

const round = (n: number) => Math.round(n * 10) / 10
const at = ([x, y]: readonly [number, number]) => `${round(x)} ${round(y)}`

function curve([x0, y0]: readonly [number, number], [x1, y1]: readonly [number, number]): string {
  const middle = (x0 + x1) / 2
  return y0 === y1 ? `L${at([x1, y1])}` : `C${at([middle, y0])} ${at([middle, y1])} ${at([x1, y1])}`
}

/** Parts keep their order from the outer to the inner edge of the arc. */
function arcPath({ from, start, end, thickness }: Band, offset: number, own: number): string {
  const x = rightOf(from)
  const isDown = end >= start
  const inset = isDown ? offset : thickness - offset - own
  const reach = Math.min(ARC_GAP - ARC_MARGIN - thickness, MIN_ARC + Math.abs(end - start) * 0.1)
  // A cubic curve goes three quarters of the way to its control points.
  const bulge = (distance: number) => x + (Math.max(MIN_ARC, reach) + distance) / 0.75
  const [outerStart, outerEnd] = isDown
    ? [start + inset, end + thickness - inset]
    : [start + thickness - inset, end + inset]
  const sign = isDown ? 1 : -1
  const [innerStart, innerEnd] = [outerStart + sign * own, outerEnd - sign * own]
  const outer = bulge(thickness - inset)
  const inner = bulge(thickness - inset - own)
  return [
    `M${at([x, outerStart])}C${at([outer, outerStart])} ${at([outer, outerEnd])} ${at([x, outerEnd])}`,
    `L${at([x, innerEnd])}C${at([inner, innerEnd])} ${at([inner, innerStart])} ${at([x, innerStart])}Z`,
  ].join('')
}

function arrowPath(x: number, y: number, thickness: number): string {
  const half = Math.max(4, thickness / 2 + 2)
  return `M${at([x, y])}L${at([x + 8, y - half])}L${at([x + 8, y + half])}Z`
}
