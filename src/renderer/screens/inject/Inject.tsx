import { useState } from 'react'
import { ButtonLink } from '../../components/ScreenLink.tsx'
import { useRoute } from '../../data/route.ts'
import { useProgram } from '../../data/use-program.ts'
import { useSampleRecords } from '../../forms/sample-records.ts'
import type { JsonObject } from '../../forms/values.ts'
import { Pane, ScreenBar, Sidebar, Split } from '../../ui/Layout.tsx'
import { Skeleton } from '../../ui/Notice.tsx'
import { PickList } from '../../ui/PickList.tsx'
import { Decisions } from './Decisions.tsx'
import styles from './Inject.module.css'
import { InjectionForm } from './InjectionForm.tsx'
import { groups, type Kind, kindFor } from './injections.ts'

const BY_HAND = { id: 'by-hand', title: 'What a bank or an officer decides', group: 'By hand' }
type Entry = Pick<Kind, 'id' | 'title' | 'group'>

/** Let something happen to the world: a payment from outside, a misfortune that data forces. */
export function Inject() {
  const program = useProgram()
  const { params, adjust } = useRoute()
  const [vrn, account, customer] = [params.vrn?.[0], params.account?.[0], params.customer?.[0]]
  const kind = kindFor(params.kind?.[0], { vrn: vrn !== undefined })
  const byHand = params.kind?.[0] === BY_HAND.id
  const facts = useSampleRecords(program?.uid, { vrn, account, customer })
  /** What follows from what was made before. */
  const [handed, setHanded] = useState<{ kind: string; body: JsonObject; n: number } | null>(null)
  const choose = (id: string) => adjust({ params: { ...params, kind: [id] } })
  const follow = (to: string, body: JsonObject) => {
    setHanded({ kind: to, body, n: (handed?.n ?? 0) + 1 })
    choose(to)
  }
  const begun = handed?.kind === kind.id ? handed : null
  return (
    <>
      <ScreenBar>
        <h1>Inject</h1>
        <span className="soft cut">What comes from outside, and what data can force</span>
        <span className="end row">
          <ButtonLink screen="reference" record="triggers">
            All triggers
          </ButtonLink>
        </span>
      </ScreenBar>
      <Split className={styles.split} data-stacks>
        <Sidebar aria-label="What should happen">
          <PickList<Entry>
            label="What should happen"
            groups={[...groups, { title: BY_HAND.group, items: [BY_HAND] }]}
            idOf={({ id }) => id}
            selected={byHand ? BY_HAND.id : kind.id}
            onSelect={({ id }) => {
              setHanded(null)
              choose(id)
            }}
            onOpen={() => document.querySelector<HTMLElement>('main form :is(input, select, button)')?.focus()}
            renderItem={({ title }) => title}
          />
        </Sidebar>
        {byHand ? (
          <Decisions />
        ) : facts && program ? (
          <InjectionForm
            key={[program.uid, kind.id, vrn, account, customer, begun?.n].join()}
            kind={kind}
            facts={facts}
            program_uid={program.uid}
            begin={begun?.body ?? kind.body(facts)}
            follow={follow}
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
