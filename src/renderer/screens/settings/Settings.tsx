import { useEffect } from 'react'
import type { ProgramChanges } from '../../../api/contract/resources/programs.ts'
import { TryIt } from '../../actions/TryIt.tsx'
import { Uid } from '../../components/ScreenLink.tsx'
import type { CollectionName } from '../../data/collections.ts'
import { type Program, useFeed } from '../../data/feed.ts'
import { useRoute } from '../../data/route.ts'
import { sandbox } from '../../data/sandbox.ts'
import { settingsSections } from '../../data/settings-sections.ts'
import { callOf } from '../../data/trying.ts'
import { useProgram } from '../../data/use-program.ts'
import { errorText, plural } from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Footer, Pane, Row, ScreenBar, Sidebar, Split, Splitter, usePaneSize } from '../../ui/Layout.tsx'
import { Skeleton } from '../../ui/Notice.tsx'
import { PickList } from '../../ui/PickList.tsx'
import { scrollToTop } from '../../ui/scroll.ts'
import { Glyph, Text } from '../../ui/Text.tsx'
import { ThisSandbox, ThisWindow } from './About.tsx'
import {
  buildChanges,
  dropDraft,
  dropSaved,
  findChanges,
  getDraft,
  groups,
  nameSetting,
  parseRefusal,
  pickErrors,
  useDraft,
  validateChanges,
} from './draft.ts'
import { Entries } from './Entries.tsx'
import { NewProgram } from './NewProgram.tsx'
import { LimitsTable, Section, Row as SettingLine, SettingRow } from './Row.tsx'
import { AccessTokens, KeyRotation } from './Secrets.tsx'
import styles from './Settings.module.css'
import { showProgram, Undoable, useUndoableAction } from './undoable.tsx'

/** The settings of a Program, of this window and of this sandbox. */
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
  return <ProgramForm key={program.uid} program={program} />
}

const hasOther = groups.some(({ id }) => id === 'other')
type SectionRow = (typeof settingsSections)[number]
const sections = settingsSections.filter(([id]) => id !== 'other' || hasOther)
const isOfWindow = ([id]: SectionRow) => id === 'window' || id === 'sandbox'
const SECTIONS = [
  { title: 'Of the Program', items: sections.filter((one) => !isOfWindow(one)) },
  { title: 'Of this machine', items: sections.filter(isOfWindow) },
]
const goTo = (section: string) => scrollToTop(document.getElementById(`part-${section}`), 0)

/** The addresses of these collections open this screen. */
const sectionOf: Readonly<Partial<Record<CollectionName, string>>> = {
  products: 'products',
  synthetic_account_types: 'types',
}

function ProgramForm({ program }: { program: Program }) {
  const draft = useDraft(program.uid)
  const list = usePaneSize('settings', '--sidebar')
  const saving = useUndoableAction(`settings ${program.uid}`)
  const section = useRoute(({ params, collection }) => params.part?.[0] ?? (collection && sectionOf[collection]))
  const isOnlyProgram = useFeed((feed) => feed.programs.length < 2)
  useEffect(() => {
    if (section) goTo(section)
  }, [section])

  const changes = buildChanges(program, draft)
  const changed = findChanges(program, draft)
  const invalid = validateChanges(changes)
  const errors = { ...parseRefusal(saving.error === undefined ? null : errorText(saving.error)), ...invalid }
  const all = { program, draft, errors }

  return (
    <>
      <ScreenBar>
        <h1>Program settings</h1>
        <span className="soft cut">
          {isOnlyProgram ? 'What the service operator decides for a Client' : <Text>{program.name}</Text>}
        </span>
        <span className="end row">
          <NewProgram />
        </span>
      </ScreenBar>
      <Split data-stacks style={{ '--sidebar': '208px', ...list.style }}>
        <Sidebar aria-label="Sections of the settings">
          <PickList<SectionRow>
            label="Sections"
            groups={SECTIONS}
            idOf={([id]) => id}
            selected={section ?? null}
            onSelect={([id]) => useRoute.getState().filter('part', [id])}
            onOpen={() => section && goTo(section)}
            renderItem={([id, title]) => (
              <Row as="span" gap={8}>
                {title}
                {hasChanges(id, changed) && (
                  <span className="end wait">
                    <Glyph name="decide" />
                    <span className="unseen">changed</span>
                  </span>
                )}
              </Row>
            )}
          />
        </Sidebar>
        <Splitter label="Width of the list" sizes="before" min={160} onResize={list.onResize} />
        <Pane as="div">
          <Section id="program" title="Program">
            <SettingRow setting={nameSetting} {...all} />
            <SettingLine label="uid" note="The claim `sub` of a refresh token. Section 5.">
              <span className="row">
                <Uid>{program.uid}</Uid>
              </span>
            </SettingLine>
          </Section>
          <KeyRotation program={program} />
          <AccessTokens key={program.uid} program={program} />
          {groups.map(({ id, title, about, settings }) => (
            <Section key={id} id={id} title={title} about={about}>
              {id === 'limits' ? (
                <LimitsTable settings={settings} {...all} />
              ) : (
                settings.map((setting) => <SettingRow key={setting.path} setting={setting} {...all} />)
              )}
            </Section>
          ))}
          <Entries list="products" {...all} errors={pickErrors('products', errors)} />
          <Entries list="synthetic_account_types" {...all} errors={pickErrors('synthetic_account_types', errors)} />
          <ThisWindow />
          <ThisSandbox />
        </Pane>
      </Split>
      <SaveBar
        program={program}
        changes={changes}
        names={changed}
        invalidCount={Object.keys(invalid).length}
        saving={saving}
      />
    </>
  )
}

function hasChanges(section: string, changed: readonly string[]): boolean {
  if (section === 'program') return changed.includes('name')
  if (section === 'products') return changed.includes('products')
  if (section === 'types') return changed.includes('synthetic_account_types')
  return groups.some(({ id, settings }) => id === section && settings.some(({ path }) => changed.includes(path)))
}

interface SaveBarProps {
  readonly program: Program
  readonly changes: ProgramChanges & { name?: string }
  /** What has changed. */
  readonly names: readonly string[]
  readonly invalidCount: number
  readonly saving: ReturnType<typeof useUndoableAction>
}

/** Below the settings: the unsaved changes, or what was saved last. */
function SaveBar({ program, changes, names, invalidCount, saving }: SaveBarProps) {
  const isLive = useFeed((feed) => feed.connection === 'live')
  const { run, isBusy, done, error, reset } = saving
  const whyNot = !isLive
    ? 'No connection.'
    : invalidCount > 0
      ? `Fix ${plural(invalidCount, 'field')} first.`
      : undefined
  const hasChanges = names.length > 0
  // The bar and error texts take space: keep the row in view that the user types in.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new error makes its row higher.
  useEffect(() => {
    if (hasChanges) document.activeElement?.closest('[data-setting], tr')?.scrollIntoView?.({ block: 'nearest' })
  }, [hasChanges, invalidCount])
  const input = { uid: program.uid, ...changes }
  const save = async () => {
    const draft = getDraft(program.uid)
    const saved = await sandbox['programs.update'](input)
    showProgram(saved)
    dropSaved(program.uid, draft)
    return saved
  }
  if (!hasChanges && !done) return null
  return (
    <Footer wraps gap="4 12" pad="4 16" least={40} text="data" tone="ink" className={styles.bar}>
      {hasChanges ? (
        <>
          <span className="wait row">
            <Glyph name="decide" />
            {plural(names.length, 'change')} not saved
          </span>
          {invalidCount > 0 && (
            <span className="bad row">
              <Glyph name="broken" />
              {whyNot}
            </span>
          )}
          <span className="cut soft" style={{ flex: '1 1 120px', minWidth: 0 }} title={names.join(', ')}>
            {names.join(', ')}
          </span>
          {error !== undefined && (
            <span className="bad wrap" style={{ flex: '1 1 100%', order: -1 }} role="alert">
              <Text>{errorText(error)}</Text>
            </span>
          )}
          <span className="end row">
            <Button
              onClick={() => {
                dropDraft(program.uid)
                reset()
              }}
            >
              Discard
            </Button>
            <TryIt what="Save" calls={() => [callOf('programs.update', input)]} />
            <Button
              primary
              aria-disabled={isBusy}
              whyNot={whyNot}
              onClick={() => void run(save, `Saved: ${plural(names.length, 'change')}.`)}
            >
              Save
            </Button>
          </span>
        </>
      ) : (
        done && <Undoable done={done} what="the saved changes" />
      )}
    </Footer>
  )
}
