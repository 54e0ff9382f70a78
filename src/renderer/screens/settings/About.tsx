import { isDesktop } from '../../data/desktop.ts'
import { useFeed } from '../../data/feed.ts'
import { chooseTheme, useTheme } from '../../data/theme.ts'
import { formatCount } from '../../format/numbers.ts'
import { formatInstant } from '../../format/time.ts'
import { Choice } from '../../ui/Choice.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Property, PropertyList } from '../../ui/Property.tsx'
import { Text } from '../../ui/Text.tsx'
import { DesktopSettings } from './DesktopSettings.tsx'
import { Remark, Row, Section } from './Row.tsx'

export function ThisWindow() {
  const theme = useTheme((state) => state.theme)
  return (
    <Section id="window" title="This window">
      <Row label="theme" note={isDesktop() ? 'Saved for this app.' : 'Saved in this browser only.'}>
        <Choice
          legend="Theme"
          inline
          value={theme}
          onChange={chooseTheme}
          options={[
            { value: 'system', label: 'same as the system' },
            { value: 'light', label: 'light' },
            { value: 'dark', label: 'dark' },
          ]}
        />
      </Row>
    </Section>
  )
}

export function ThisSandbox() {
  const world = useFeed((feed) => feed.world)
  const seq = useFeed((feed) => feed.seq)
  if (!world) return null
  const { port } = new URL(world.api)
  return (
    <Section id="sandbox" title="This sandbox">
      {isDesktop() ? (
        <DesktopSettings />
      ) : (
        <Remark className="soft">Set at start-up. To change these, start another sandbox.</Remark>
      )}
      <PropertyList>
        <Property name="API">
          <span className="row">
            <span className="mono wrap">{world.api}</span>
            <CopyButton text={world.api} what="address of the API" small />
          </span>
        </Property>
        {!isDesktop() && (
          <>
            <Property name="port">
              {port}, set with <span className="mono">sandbank serve --port {port}</span>
            </Property>
            <Property name="data folder">
              {world.data === null ? (
                'none: started with --ephemeral, nothing is saved'
              ) : (
                <span className="row">
                  <Text className="mono wrap">{world.data}</Text>
                  <CopyButton text={world.data} what="data folder" small />
                </span>
              )}
            </Property>
          </>
        )}
        <Property name="seed">
          <Text className="mono wrap">{world.seed}</Text>
        </Property>
        <Property name="start">
          <time dateTime={world.start} title={world.start}>
            {formatInstant(Date.parse(world.start))}
          </time>
        </Property>
        <Property name="commits">{formatCount(seq)}</Property>
        <Property name="--allow">
          {world.allow.length === 0 ? (
            'none: only callers on the allowlist of a Program are allowed'
          ) : (
            <Text className="mono wrap">{world.allow.join(', ')}</Text>
          )}
        </Property>
        <Property name="version">{world.version}</Property>
      </PropertyList>
    </Section>
  )
}
