import { ArrowUpRight } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import type { CustomerMap } from '../../../../api/contract/control/customer-map.ts'
import { areaCollections } from '../../../data/collections.ts'
import { formatFlow, type MapTime } from '../../../data/flow.ts'
import { flushRoute, useRouteHref } from '../../../data/route.ts'
import { Amount, Glyph, Text } from '../../../ui/Text.tsx'
import { useWidth } from '../../../ui/use-width.ts'
import { Band, Hatches } from './Band.tsx'
import { layOutMap, type MapLayout, type PlacedFlow, type PlacedNode } from './layout.ts'
import styles from './MapChart.module.css'
import {
  columnTitles,
  countTransactions,
  describeFlow,
  describeMap,
  describeNode,
  describeReturns,
  isSome,
  nodeName,
  partTitles,
  sumsIn,
} from './words.ts'

interface MapChartProps {
  readonly customer_uid: string
  readonly map: CustomerMap
  readonly time: MapTime
  /** The key of the flow or node under the pointer, or with the focus. */
  readonly chosen: string | null
  readonly onChoose: (key: string | null) => void
}

/** Flows between nodes: one tab stop, in which the arrow keys move. The table has the same figures. */
export function MapChart({ customer_uid, map, time, chosen, onChoose }: MapChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const layout = useMemo(() => layOutMap(map, width), [map, width])
  const stops = useMemo(() => stopsOf(layout), [layout])
  const [focused, setFocused] = useState<string | null>(null)
  const stop = stops.find(({ key }) => key === focused) ?? stops[0]
  const choices = (key: string) => ({
    tabIndex: key === stop?.key ? 0 : -1,
    'data-stop': key,
    onFocus: () => {
      setFocused(key)
      onChoose(key)
    },
    onBlur: () => onChoose(null),
    onPointerEnter: () => onChoose(key),
    onPointerLeave: () => onChoose(null),
  })
  const isLit = (flow: PlacedFlow) => chosen === flow.key || chosen === flow.from || chosen === flow.to
  const move = (event: React.KeyboardEvent) => {
    const next = stop && nextStop(stops, stop.key, event.key)
    if (!next || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    event.currentTarget.querySelector<HTMLElement>(`[data-stop="${CSS.escape(next.key)}"]`)?.focus()
  }
  return (
    <div ref={box} style={{ minWidth: 0, margin: '0 16px 16px', overflowX: 'auto' }}>
      {width > 0 && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the links within it have the focus.
        <div style={{ position: 'relative', width: layout.width, height: layout.height }} onKeyDown={move} data-map>
          {layout.columns.map(({ column, x, width: room }) => (
            <span key={column} className="meta" style={{ position: 'absolute', top: 4, left: x, width: room }}>
              {columnTitles[column]}
            </span>
          ))}
          {/* biome-ignore lint/a11y/useSemanticElements: an SVG has no element for a group with a name. */}
          <svg
            style={{ position: 'absolute', inset: 0, overflow: 'visible' }}
            role="group"
            aria-label={describeMap(map)}
            width={layout.width}
            height={layout.height}
          >
            <Hatches />
            {layout.flows.map((flow) => (
              <Flow
                key={flow.key}
                customer_uid={customer_uid}
                time={time}
                flow={flow}
                from={layout.nodes.find(({ key }) => key === flow.from)!}
                to={layout.nodes.find(({ key }) => key === flow.to)!}
                isLit={isLit(flow)}
                choices={choices(flow.key)}
              />
            ))}
          </svg>
          {layout.nodes.map((node) => (
            <Node key={node.key} placed={node} isLit={chosen === node.key} choices={choices(node.key)} />
          ))}
        </div>
      )}
    </div>
  )
}

interface Choices
  extends Pick<React.HTMLAttributes<Element>, 'onFocus' | 'onBlur' | 'onPointerEnter' | 'onPointerLeave'> {
  readonly tabIndex: number
  readonly 'data-stop': string
}

interface FlowProps {
  readonly customer_uid: string
  readonly time: MapTime
  readonly flow: PlacedFlow
  readonly from: PlacedNode
  readonly to: PlacedNode
  readonly isLit: boolean
  readonly choices: Choices
}

/** Leads to its Transactions, or to the only one. */
function Flow({ customer_uid, time, flow: { flow, parts, arrow }, from, to, isLit, choices }: FlowProps) {
  const isOne = countTransactions(flow) === 1
  const record = useRouteHref({ collection: 'transactions', record: flow.newest })
  const list = useRouteHref({ collection: 'transactions', params: { flow: formatFlow(customer_uid, flow, time) } })
  return (
    <a
      className={styles.flow}
      href={isOne ? record : list}
      onClick={flushRoute}
      aria-label={describeFlow(flow, from.node, to.node)}
      data-flow
      data-lit={isLit ? '' : undefined}
      {...choices}
    >
      {parts.map(({ part, path }) => (
        // A thin flow is hard to point at.
        <path key={part} d={path} fill="none" stroke="transparent" strokeWidth={8} pointerEvents="stroke" />
      ))}
      {parts.map(({ part, path }) => (
        <Band key={part} part={part} path={path} isLit={isLit} />
      ))}
      {arrow !== null && <path fill={isLit ? 'var(--accent)' : 'var(--ink-2)'} d={arrow} />}
    </a>
  )
}

/** Accounts and VRNs, also those outside, lead to their records. */
function Node({ placed, isLit, choices }: { placed: PlacedNode; isLit: boolean; choices: Choices }) {
  const { node, column, x, y, width, height } = placed
  const { uid, role, status } = node
  const href = useRouteHref({ collection: role === 'vrn' ? areaCollections.vrns : 'synthetic_accounts', record: uid })
  const place = {
    className: styles.node,
    style: { left: x, top: y, width, height },
    'data-node': column,
    'data-lit': isLit ? '' : undefined,
  }
  const content = (
    <>
      <span className="row" data-tight>
        {role === 'party' && <ArrowUpRight size={12} strokeWidth={1.8} aria-hidden="true" />}
        {node.others > 0 ? nodeName(node) : <Text className="cut">{node.name}</Text>}
      </span>{' '}
      <span className="row" style={{ fontWeight: 400 }}>
        <Figures placed={placed} />
        {status === 'archived' && <span className="meta cut">{status}</span>}
      </span>
    </>
  )
  const title = describeNode(node, column)
  const { tabIndex: _, onFocus: __, onBlur: ___, 'data-stop': ____, ...pointer } = choices
  return uid === null ? (
    <div {...place} {...pointer} title={title}>
      {content}
    </div>
  ) : (
    <a {...place} {...choices} href={href} onClick={flushRoute} title={title}>
      {content}
    </a>
  )
}

/** The balance of an account; of others what settled, or else what is pending or went back. */
function Figures({ placed: { node, column } }: { placed: PlacedNode }) {
  if (column === 'accounts') return <Amount value={node.balance} />
  const { settled, pending, returned, return_pending } = sumsIn(node, column)
  const hasReturns = isSome(returned) || isSome(return_pending)
  return (
    <>
      {isSome(settled) && <Amount value={settled.us_dollar_amount} />}
      {!isSome(settled) && isSome(pending) && (
        <span className="row wait" data-tight title={partTitles.pending}>
          <Glyph name="under-way" />
          <Amount value={pending.us_dollar_amount} />
        </span>
      )}
      {hasReturns && (
        <span
          className={`row ${isSome(returned) ? 'bad' : 'wait'}`}
          data-tight
          title={describeReturns(sumsIn(node, column))}
        >
          <Glyph name="broken" />
          {!isSome(settled) && !isSome(pending) && (
            <Amount value={(isSome(returned) ? returned : return_pending).us_dollar_amount} />
          )}
        </span>
      )}
    </>
  )
}

/** How the arrow keys move on the map: it is one tab stop. */

interface Stop {
  readonly key: string
  /** Its place from left to right: columns of nodes, and the flows that leave them. */
  readonly rank: number
  readonly y: number
}

/** Flows, and the nodes that are links; from left to right, then from top to bottom. */
export function stopsOf({ columns, nodes, flows }: MapLayout): Stop[] {
  const rankOf = (key: string) => columns.findIndex(({ column }) => key.startsWith(`${column}: `)) * 2
  return [
    ...nodes
      .filter(({ node }) => node.uid !== null)
      .map(({ key, y, height }) => ({ key, rank: rankOf(key), y: y + height / 2 })),
    ...flows.map(({ key, from, start, thickness }) => ({ key, rank: rankOf(from) + 1, y: start + thickness / 2 })),
  ].sort((a, b) => a.rank - b.rank || a.y - b.y)
}

/** The stop that a key leads to; undefined if it leads nowhere. */
export function nextStop(stops: readonly Stop[], from: string, key: string): Stop | undefined {
  const i = stops.findIndex((stop) => stop.key === from)
  const current = stops[i]
  if (!current) return undefined
  if (key === 'Home') return stops[0]
  if (key === 'End') return stops.at(-1)
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    const next = stops[i + (key === 'ArrowDown' ? 1 : -1)]
    return next?.rank === current.rank ? next : undefined
  }
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return undefined
  const beyond = stops.filter(({ rank }) => (key === 'ArrowRight' ? rank > current.rank : rank < current.rank))
  const rank = key === 'ArrowRight' ? beyond[0]?.rank : beyond.at(-1)?.rank
  const distance = ({ y }: Stop) => Math.abs(y - current.y)
  return beyond
    .filter((stop) => stop.rank === rank)
    .reduce<Stop | undefined>((best, stop) => (best && distance(best) <= distance(stop) ? best : stop), undefined)
}
