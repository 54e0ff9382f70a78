import { useEffect, useState } from 'react'
import { ButtonLink } from '../../components/ScreenLink.tsx'
import { type RecordRef, useAtHand } from '../../data/at-hand.ts'
import { useRoute } from '../../data/route.ts'
import { useProgram } from '../../data/use-program.ts'
import { bodyOf, DECISIONS, findInjection, groups, type Injection, OUTSIDE } from '../../forms/injections.ts'
import { useExamples } from '../../forms/use-examples.ts'
import type { JsonObject } from '../../forms/values.ts'
import { Pane, ScreenBar, Sidebar, Split, Splitter, usePaneSize } from '../../ui/Layout.tsx'
import { Skeleton } from '../../ui/Notice.tsx'
import { PickList } from '../../ui/PickList.tsx'
import { Decisions } from './Decisions.tsx'
import { InjectionForm } from './InjectionForm.tsx'
import { OutsideForm } from './InjectPane.tsx'

type Entry = Pick<Injection, 'id' | 'title' | 'group'>
const groupOf = (entry: Entry) => ({ title: entry.group, items: [entry] })

/** What comes in is listed first. */
const firstOther = groups.findIndex(({ title }) => !title.startsWith('Incoming'))
const allGroups = [...groups.slice(0, firstOther), groupOf(OUTSIDE), ...groups.slice(firstOther), groupOf(DECISIONS)]

/** Injects incoming payments, forced outcomes, and requests as an app would send them. */
export function Inject() {
  const program = useProgram()
  const { params, adjust } = useRoute()
  const [vrn, account, customer] = [params.vrn?.[0], params.account?.[0], params.customer?.[0]]
  const injection = findInjection(params.kind?.[0], { vrn: vrn !== undefined })
  const kind = params.kind?.[0]
  const list = usePaneSize('inject', '--sidebar')
  const atHand = useAtHand((state) => state.record)
  const near: RecordRef | null = vrn
    ? { collection: 'virtual_reference_numbers', uid: vrn }
    : account
      ? { collection: 'synthetic_accounts', uid: account }
      : customer
        ? { collection: 'customers', uid: customer }
        : atHand
  const isDecisions = kind === DECISIONS.id
  const isOutside = kind === OUTSIDE.id
  const chosen = isDecisions || isOutside ? kind : injection.id
  const examples = useExamples(program?.uid, near, chosen)
  const [isEntering, setEntering] = useState(false)
  // The form comes when its records are read.
  useEffect(() => {
    const field = isEntering && document.querySelector<HTMLElement>('main form :is(input, select, button)')
    if (!field) return
    field.focus()
    setEntering(false)
  })
  /** The next injection that the last result offered, with its body. */
  const [next, setNext] = useState<{ id: string; body: JsonObject; n: number } | null>(null)
  const select = (id: string) => adjust({ params: { ...params, kind: [id] } })
  const openNext = (id: string, body: JsonObject) => {
    setNext({ id, body, n: (next?.n ?? 0) + 1 })
    select(id)
  }
  const prefilled = next?.id === injection.id ? next : null
  return (
    <>
      <ScreenBar>
        <h1>Inject</h1>
        <span className="soft cut">Simulate incoming payments and force outcomes</span>
        <span className="end row">
          <ButtonLink screen="reference" record="triggers">
            All triggers
          </ButtonLink>
        </span>
      </ScreenBar>
      <Split data-stacks style={{ '--sidebar': '232px', ...list.style }}>
        <Sidebar aria-label="Injections">
          <PickList<Entry>
            label="Injections"
            groups={allGroups}
            idOf={({ id }) => id}
            selected={chosen}
            onSelect={({ id }) => {
              setNext(null)
              setEntering(false)
              select(id)
            }}
            onOpen={() => setEntering(true)}
            renderItem={({ title }) => title}
          />
        </Sidebar>
        <Splitter label="Width of the list" sizes="before" min={160} onResize={list.onResize} />
        {isDecisions ? (
          <Decisions />
        ) : isOutside && examples && program ? (
          <OutsideForm key={[program.uid, account, customer].join()} examples={examples} program_uid={program.uid} />
        ) : examples && program ? (
          <InjectionForm
            key={[program.uid, injection.id, vrn, account, customer, prefilled?.n].join()}
            injection={injection}
            examples={examples}
            program_uid={program.uid}
            initialBody={prefilled?.body ?? bodyOf(injection, examples)}
            onNext={openNext}
          />
        ) : (
          <Pane aria-label="Injection">
            <Skeleton />
          </Pane>
        )}
      </Split>
    </>
  )
}
