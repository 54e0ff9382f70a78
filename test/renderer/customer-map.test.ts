import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FlowSums, MapFlow, MapNode } from '../../src/api/contract/control/customer-map.ts'
import { formatFlow, parseFlow } from '../../src/renderer/data/flow.ts'
import { layOutMap, type MapLayout, type PlacedFlow } from '../../src/renderer/screens/record/map/layout.ts'
import { nextStop, stopsOf } from '../../src/renderer/screens/record/map/MapChart.tsx'
import { PROPERTY_SEED } from '../support/property-seed.ts'

/** Where the map of a Customer draws its nodes and flows, how keys move on it, and what it says. */

const sum = (amount: number) => ({ us_dollar_amount: amount.toFixed(2), payments: amount > 0 ? 1 : 0 })
const sums = (settled: number, { pending = 0, returned = 0, return_pending = 0 } = {}) =>
  ({
    settled: sum(settled),
    pending: sum(pending),
    returned: sum(returned),
    return_pending: sum(return_pending),
  }) as FlowSums
const node = (id: string, role: MapNode['role'], more: Partial<MapNode> = {}): MapNode => ({
  id,
  role,
  name: `Name of ${id}`,
  uid: role === 'party' ? null : id,
  category: null,
  status: null,
  balance: role === 'account' ? ('5.00' as MapNode['balance']) : null,
  others: 0,
  in: sums(0),
  out: sums(0),
  ...more,
})
const flow = (from: string, to: string, of: number | FlowSums): MapFlow => {
  const all = typeof of === 'number' ? sums(of) : of
  return { from, to, ...all, rails: [{ rail: 'wire', ...all }], newest: `newest ${from} ${to}` }
}

// ── Any map ──────────────────────────────────────────────────────────────────────────────────────────────────────

const amounts = fc.record({
  settled: fc.integer({ min: 0, max: 1_000_000 }),
  pending: fc.constantFrom(0, 0, 7, 90_000),
  returned: fc.constantFrom(0, 0, 3, 2_000_000),
  return_pending: fc.constantFrom(0, 0, 0, 12),
})
const ways = fc.constantFrom('in', 'in on a VRN', 'out', 'out by a VRN', 'between')

/** Payments between 4 accounts, 6 VRNs and 30 parties, added up as the sandbox does it. */
const maps = fc
  .array(fc.record({ way: ways, account: fc.nat(3), other: fc.nat(5), party: fc.nat(29), of: amounts }), {
    maxLength: 80,
  })
  .map((payments) => {
    const found = new Map<string, MapFlow>()
    for (const { way, account, other, party, of } of payments) {
      const [own, outside, vrn] = [`a${account}`, `p${party}`, `v${other}`]
      const path =
        way === 'in'
          ? [outside, own]
          : way === 'in on a VRN'
            ? [outside, vrn, `a${other % 4}`]
            : way === 'out'
              ? [own, outside]
              : way === 'out by a VRN'
                ? [`a${other % 4}`, vrn, outside]
                : [own, `a${(account + 1 + (other % 3)) % 4}`]
      const all = sums(of.settled, of)
      if (of.settled + of.pending + of.returned + of.return_pending === 0) continue
      for (const [i, to] of path.slice(1).entries()) found.set(`${path[i]} ${to}`, flow(path[i]!, to, all))
    }
    const flows = [...found.values()]
    const used = (id: string) => flows.some(({ from, to }) => from === id || to === id)
    const numbered = (letter: string, count: number, role: MapNode['role']) =>
      Array.from({ length: count }, (_, n) => node(`${letter}${n}`, role))
    const nodes = [
      ...numbered('a', 4, 'account'),
      ...[...numbered('v', 6, 'vrn'), ...numbered('p', 30, 'party')].filter(({ id }) => used(id)),
    ]
    return { nodes, flows }
  })

const widths = fc.constantFrom(320, 736, 800, 1_080, 1_600, 2_400)

function expectNoOverlap(spans: readonly (readonly [from: number, to: number, what: string])[]) {
  const sorted = spans.toSorted((a, b) => a[0] - b[0])
  for (const [i, [from, , what]] of sorted.slice(1).entries())
    expect(from, `${what} begins above the end of ${sorted[i]![2]}`).toBeGreaterThanOrEqual(sorted[i]![1] - 0.01)
}

/** The ends of flows at a side of a node, as spans. */
const endsAt = ({ flows }: MapLayout, key: string, side: 'left' | 'right') =>
  flows.flatMap((one): [number, number, string][] => {
    const isArc = one.arrow !== null
    return [
      ...(one.from === key && side === 'right' ? [[one.start, one.start + one.thickness, one.key] as const] : []),
      ...(one.to === key && side === (isArc ? 'right' : 'left')
        ? [[one.end, one.end + one.thickness, one.key] as const]
        : []),
    ] as [number, number, string][]
  })

/** All points of a path. */
const pointsOf = (path: string) =>
  [...path.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const)

const sizeOf = ({ flow: { settled, pending, returned, return_pending } }: PlacedFlow) => {
  const [all, soon, back, later] = [settled, pending, returned, return_pending].map((one) =>
    Number(one.us_dollar_amount),
  )
  return Math.max(all!, back! + later!) + soon!
}

describe('the layout of any map', () => {
  const check = (test: (map: { nodes: MapNode[]; flows: MapFlow[] }, width: number) => void) =>
    fc.assert(fc.property(maps, widths, test), { numRuns: 100, seed: PROPERTY_SEED })

  it('has no nodes that overlap, and all of them within its size', () =>
    check((map, width) => {
      const layout = layOutMap(map, width)
      for (const { column, x, width: room } of layout.columns) {
        const nodes = layout.nodes.filter((one) => one.column === column)
        expectNoOverlap(nodes.map(({ key, y, height }) => [y, y + height, key]))
        expect(x).toBeGreaterThanOrEqual(0)
        expect(x + room).toBeLessThanOrEqual(layout.width)
        for (const { y, height, width: own } of nodes) {
          expect([own, own >= 104]).toEqual([room, true])
          expect(y).toBeGreaterThan(20)
          expect(y + height).toBeLessThanOrEqual(layout.height)
        }
      }
      expectNoOverlap(layout.columns.map(({ x, width: room, column }) => [x, x + room, column]))
      // Five columns fit into the narrowest window that shows them side by side.
      if (width >= 736) expect(layout.width).toBe(width)
    }))

  it('attaches each flow within its nodes, and no two at the same place', () =>
    check((map, width) => {
      const layout = layOutMap(map, width)
      expect(layout.flows).toHaveLength(map.flows.length)
      for (const { key, y, height } of layout.nodes)
        for (const side of ['left', 'right'] as const) {
          const ends = endsAt(layout, key, side)
          expectNoOverlap(ends)
          for (const [from, to] of ends) {
            expect(from).toBeGreaterThanOrEqual(y - 0.01)
            expect(to).toBeLessThanOrEqual(y + height + 0.01)
          }
        }
    }))

  it('leads no flow through a node that it passes', () =>
    check((map, width) => {
      const layout = layOutMap(map, width)
      const indexOf = (key: string) => layout.columns.findIndex(({ column }) => key.startsWith(`${column}: `))
      for (const { from, to, parts } of layout.flows)
        for (const { column, x } of layout.columns.slice(indexOf(from) + 1, Math.max(0, indexOf(to)))) {
          const ys = parts.flatMap(({ path }) =>
            pointsOf(path)
              .filter((point) => point[0] === x)
              .map(([, y]) => y),
          )
          expect(ys.length).toBeGreaterThan(0)
          for (const { key, y, height } of layout.nodes.filter((one) => one.column === column))
            expect(
              ys.some((at) => at > y + 0.1 && at < y + height - 0.1),
              key,
            ).toBe(false)
        }
    }))

  it('draws more money thicker, and each part of a flow so that it can be seen', () =>
    check((map, width) => {
      const { flows } = layOutMap(map, width)
      for (const { parts, thickness } of flows) {
        expect(parts.reduce((all, part) => all + part.thickness, 0)).toBeCloseTo(thickness)
        for (const part of parts) expect(part.thickness).toBeGreaterThanOrEqual(2)
        expect(thickness).toBeLessThanOrEqual(40)
        expect(parts.map(({ path }) => /NaN|undefined|Infinity/.test(path))).not.toContain(true)
      }
      const simple = flows.filter(({ parts }) => parts.length === 1).sort((a, b) => sizeOf(a) - sizeOf(b))
      for (const [i, { thickness }] of simple.slice(1).entries())
        expect(thickness).toBeGreaterThanOrEqual(simple[i]!.thickness)
    }))

  it('is the same each time, and in the same order at each width', () =>
    check((map, width) => {
      const layout = layOutMap(map, width)
      expect(layOutMap(structuredClone(map), width)).toEqual(layout)
      const order = ({ nodes }: MapLayout) => nodes.toSorted((a, b) => a.y - b.y).map(({ key, y }) => `${key} ${y}`)
      expect(order(layOutMap(map, width + 400))).toEqual(order(layout))
    }))

  it('is reached by keys as a whole: from any stop to each other one', () =>
    check((map, width) => {
      const stops = stopsOf(layOutMap(map, width))
      const reached = new Set<string>()
      const visit = [stops[0]?.key]
      for (const key of visit)
        if (key !== undefined && !reached.has(key)) {
          reached.add(key)
          for (const arrow of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'])
            visit.push(nextStop(stops, key, arrow)?.key)
        }
      expect(reached.size).toBe(stops.length)
    }))
})

// ── Some maps ────────────────────────────────────────────────────────────────────────────────────────────────────

const NODES = [
  node('a', 'account'),
  node('b', 'account'),
  node('v', 'vrn'),
  node('x', 'party', { uid: 'x', category: 'ach_external' }),
  node('y', 'party', { others: 12 }),
]
const FLOWS = [
  flow('x', 'a', 400),
  flow('a', 'x', sums(100, { returned: 40, return_pending: 10, pending: 5 })),
  flow('y', 'v', 25),
  flow('v', 'b', 25),
  flow('a', 'b', 9),
  flow('b', 'a', 4),
]

describe('the layout', () => {
  const layout = layOutMap({ nodes: NODES, flows: FLOWS }, 1_000)
  const flowOf = (key: string) => layout.flows.find((one) => one.key === key)!

  it('has a column for each kind of node that is there; a party that sent and received is in both', () => {
    expect(layout.columns.map(({ column }) => column)).toEqual(['senders', 'vrns in', 'accounts', 'receivers'])
    expect(layout.nodes.map(({ key }) => key).sort()).toEqual([
      ...['accounts: a', 'accounts: b', 'receivers: x', 'senders: x', 'senders: y', 'vrns in: v'],
    ])
  })

  it('has the parts of a flow apart: what stayed, what went back, what is pending', () => {
    const { parts } = flowOf('a → x')
    expect(parts.map(({ part }) => part)).toEqual(['settled', 'returned', 'return_pending', 'pending'])
    const [stayed, returned, returning, pending] = parts.map(({ thickness }) => thickness)
    expect(stayed).toBeGreaterThan(returned!)
    expect(returned).toBeGreaterThan(returning!)
    expect(returning).toBeGreaterThan(pending!)
    // All of it was returned.
    const back = layOutMap({ nodes: NODES, flows: [flow('a', 'x', sums(7, { returned: 7 }))] }, 1_000)
    expect(back.flows[0]!.parts.map(({ part }) => part)).toEqual(['returned'])
  })

  it('draws a transfer between accounts as an arc with a head, within the width', () => {
    for (const key of ['a → b', 'b → a']) {
      expect(flowOf(key).arrow).toMatch(/^M/)
      const reach = Math.max(...flowOf(key).parts.flatMap(({ path }) => pointsOf(path).map(([x]) => x)))
      expect(reach).toBeLessThan(layout.columns.find(({ column }) => column === 'receivers')!.x)
    }
    expect(flowOf('x → a').arrow).toBeNull()
    const alone = layOutMap({ nodes: NODES.slice(0, 2), flows: [flow('a', 'b', 900)] }, 300)
    const [{ x, width }] = alone.columns as [(typeof alone.columns)[number]]
    // The curve goes three quarters of the way to its control points.
    const control = Math.max(...alone.flows[0]!.parts.flatMap(({ path }) => pointsOf(path).map(([at]) => at)))
    expect(x + width + 0.75 * (control - x - width)).toBeLessThan(300)
  })

  it('has accounts without a flow, and is empty without nodes', () => {
    expect(layOutMap({ nodes: NODES.slice(0, 2), flows: [] }, 800).nodes.map(({ key }) => key)).toEqual([
      ...['accounts: a', 'accounts: b'],
    ])
    expect(layOutMap({ nodes: [], flows: [] }, 800)).toMatchObject({ nodes: [], flows: [], width: 800 })
  })
})

describe('the address of a flow', () => {
  const ends = { from: 'outside Dock Ltd', to: 'a' }
  it.each([
    [{ period: 'week' as const }],
    [{ from: '2026-08-14T04:00:00.000Z', until: '2026-08-15T03:59:59.999Z' }],
    [{ until: '2026-08-15T03:59:59.999Z' }],
  ])('has the Customer, both ends and the time: %j', (time) => {
    expect(parseFlow(formatFlow('c', ends, time))).toEqual({ customer_uid: 'c', flow: ends, ...time })
  })

  it('is none if a part is missing', () => {
    expect([parseFlow(undefined), parseFlow([]), parseFlow(['c', 'a'])]).toEqual([null, null, null])
    expect(parseFlow(['c', 'a', 'b'])).toEqual({ customer_uid: 'c', flow: { from: 'a', to: 'b' }, period: 'all' })
  })
})
