import { useEffect, useState } from 'react'
import { Uid } from '../../components/RecordLink.tsx'
import type { CollectionName } from '../../data/collections.ts'
import { type Program, useFeed } from '../../data/feed.ts'
import { useRoute } from '../../data/route.ts'
import { useProgram } from '../../data/use-program.ts'
import { PlainButton } from '../../ui/Button.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { Pane, ScreenBar, Split } from '../../ui/Layout.tsx'
import { Skeleton } from '../../ui/Notice.tsx'
import { scrollToTop } from '../../ui/scroll.ts'
import { Text } from '../../ui/Text.tsx'
import { ThisSandbox, ThisWindow } from './About.tsx'
import { AccountTypes } from './AccountTypes.tsx'
import { changedOffers, changedSettings, changesOf, complaintsOf, useDraft } from './draft.ts'
import { groups, nameSetting } from './fields.ts'
import { KeyRotation } from './KeyRotation.tsx'
import { NewProgram } from './NewProgram.tsx'
import { Products } from './Products.tsx'
import { Row, Section } from './Row.tsx'
import { SaveBar } from './SaveBar.tsx'
import { SettingRow } from './SettingRow.tsx'
import styles from './Settings.module.css'

/** Everything that the service operator decides for a Program, and what this window and this sandbox are. */
export function Settings() {
  const program = useProgram()
  if (!program)
    return (
      <>
        <ScreenBar>
          <h1>Program settings</h1>
        </ScreenBar>
        <Skeleton />
      </>
    )
  return <OfProgram key={program.uid} program={program} />
}

const parts = [
  ['program', 'Program'],
  ['key', 'HMAC key'],
  ...groups
    .filter(({ id }) => !id.startsWith('limits_'))
    .map(({ id, title }) => [id, id === 'limits' ? 'Limits of payments' : title] as const),
  ['products', 'Products'],
  ['types', 'Synthetic Account Types'],
  ['window', 'This window'],
  ['sandbox', 'This sandbox'],
] as const

const partOf: Readonly<Partial<Record<CollectionName, string>>> = {
  products: 'products',
  synthetic_account_types: 'types',
}

function OfProgram({ program }: { program: Program }) {
  const draft = useDraft(program.uid)
  const [refusal, setRefusal] = useState<string | null>(null)
  // The addresses of what a Program offers lead here, too.
  const part = useRoute(({ params, collection }) => params.part?.[0] ?? (collection && partOf[collection]))
  const alone = useFeed((feed) => feed.programs.length < 2)
  useEffect(() => {
    if (part) scrollToTop(document.getElementById(`part-${part}`), 0)
  }, [part])

  const changes = changesOf(program, draft)
  const settings = changedSettings(program, draft)
  const complaints = complaintsOf(changes)
  const refused = refusalAt(refusal)
  const wrongAt = (path: string) => complaints[path] ?? (refused?.path === path ? refused.says : undefined)

  return (
    <>
      <ScreenBar>
        <h1>Program settings</h1>
        <span className="soft cut">
          {alone ? 'What the service operator decides for a Client' : <Text>{program.name}</Text>}
        </span>
        <span className="end row">
          <NewProgram />
        </span>
      </ScreenBar>
      <Split className={styles.screen}>
        <nav className={styles.parts} aria-label="Parts of the settings">
          {parts.map(([id, title]) => (
            <PlainButton key={id} onClick={() => scrollToTop(document.getElementById(`part-${id}`), 0)}>
              {title}
              {marksOf(
                id,
                settings.map(({ path }) => path),
                changedOffers(program, draft),
              ) && (
                <span className={styles.changed}>
                  <Glyph name="decide" />
                  <span className="unseen">changed</span>
                </span>
              )}
            </PlainButton>
          ))}
        </nav>
        <Pane as="div">
          <Section id="program" title="Program">
            <SettingRow setting={nameSetting} program={program} draft={draft} wrong={wrongAt('name')} />
            <Row
              label="uid"
              note={
                <>
                  The claim <span className="mono">sub</span> of a refresh token. Section 5.
                </>
              }
            >
              <span className="row">
                <Uid>{program.uid}</Uid>
              </span>
            </Row>
          </Section>
          <KeyRotation program={program} />
          {groups.map(({ id, title, about, settings: rows }) => (
            <Section key={id} id={id} title={title} about={about}>
              {rows.map((setting) => (
                <SettingRow
                  key={setting.path}
                  setting={setting}
                  program={program}
                  draft={draft}
                  wrong={wrongAt(setting.path)}
                />
              ))}
            </Section>
          ))}
          <Products program={program} draft={draft} wrong={wrongIn('products', complaints, refused)} />
          <AccountTypes
            program={program}
            draft={draft}
            wrong={wrongIn('synthetic_account_types', complaints, refused)}
          />
          <ThisWindow />
          <ThisSandbox />
        </Pane>
      </Split>
      <SaveBar
        program={program}
        changes={changes}
        names={[...settings.map(({ path }) => path), ...changedOffers(program, draft)]}
        wrong={Object.keys(complaints).length}
        refusal={refusal}
        setRefusal={setRefusal}
      />
    </>
  )
}

function marksOf(id: string, paths: readonly string[], offers: readonly string[]): boolean {
  if (id === 'program') return paths.includes('name')
  if (id === 'products') return offers.includes('products')
  if (id === 'types') return offers.includes('synthetic_account_types')
  return groups.some(
    (group) =>
      (group.id === id || (id === 'limits' && group.id.startsWith('limits_'))) &&
      group.settings.some(({ path }) => paths.includes(path)),
  )
}

/** The sandbox names the field first: `limits.ach.minimum_amount: 5.00 is more than …`. */
function refusalAt(refusal: string | null): { readonly path: string; readonly says: string } | null {
  const [, path, says] = /(?:^|: )([a-z_]+(?:\.[a-z_\d]+)*): (.+)$/s.exec(refusal ?? '') ?? []
  return path === undefined || says === undefined ? null : { path, says }
}

const wrongIn = (
  list: string,
  complaints: Readonly<Record<string, string>>,
  refused: ReturnType<typeof refusalAt>,
): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.entries(complaints).filter(([path]) => path.startsWith(list))),
  ...(refused?.path.startsWith(list) ? { [refused.path]: refused.says } : {}),
})
