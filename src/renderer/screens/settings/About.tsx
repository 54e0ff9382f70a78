import { hasDesk } from '../../data/desktop.ts'
import { useFeed } from '../../data/feed.ts'
import { chooseTheme, useTheme } from '../../data/theme.ts'
import { count } from '../../format/numbers.ts'
import { moment } from '../../format/time.ts'
import { Choice } from '../../ui/Choice.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Field } from '../../ui/Property.tsx'
import { Text } from '../../ui/Text.tsx'
import { DeskRows } from './DesktopSettings.tsx'

export function ThisWindow() {
  const theme = useTheme((state) => state.theme)
  return (
    <section id="part-window" aria-label="This window">
      <h2>This window</h2>
      <div className="setting">
        <span>theme</span>
        <Choice
          legend="Theme"
          inline
          value={theme}
          onChange={chooseTheme}
          options={[
            { value: 'system', label: 'as the system has it' },
            { value: 'light', label: 'light' },
            { value: 'dark', label: 'dark' },
          ]}
        />
        <p>{hasDesk() ? 'Kept by this app.' : 'Kept in this browser, and of this browser alone.'}</p>
      </div>
    </section>
  )
}

export function ThisSandbox() {
  const world = useFeed((feed) => feed.world)
  const seq = useFeed((feed) => feed.seq)
  if (!world) return null
  const { port } = new URL(world.api)
  return (
    <section id="part-sandbox" aria-label="This sandbox">
      <h2>This sandbox</h2>
      {hasDesk() ? (
        <DeskRows />
      ) : (
        <p className="soft about-group">Said when it is started; it is changed by starting another one.</p>
      )}
      <dl className="props">
        <Field name="API">
          <span className="row">
            <span className="mono wrap">{world.api}</span>
            <CopyButton text={world.api} what="address of the API" small />
          </span>
        </Field>
        {!hasDesk() && (
          <>
            <Field name="port">
              {port}, as <span className="mono">sandbank serve --port {port}</span> sets it
            </Field>
            <Field name="data folder">
              {world.data === null ? (
                'none: it was started with --ephemeral, and nothing is kept'
              ) : (
                <span className="row">
                  <Text className="mono wrap">{world.data}</Text>
                  <CopyButton text={world.data} what="data folder" small />
                </span>
              )}
            </Field>
          </>
        )}
        <Field name="seed">
          <Text className="mono wrap">{world.seed}</Text>
        </Field>
        <Field name="start">
          <time dateTime={world.start} title={world.start}>
            {moment(Date.parse(world.start))}
          </time>
        </Field>
        <Field name="commits">{count(seq)}</Field>
        <Field name="--allow">
          {world.allow.length === 0 ? (
            'none: the allowlist of each Program alone says who may call'
          ) : (
            <Text className="mono wrap">{world.allow.join(', ')}</Text>
          )}
        </Field>
        <Field name="version">{world.version}</Field>
      </dl>
    </section>
  )
}
