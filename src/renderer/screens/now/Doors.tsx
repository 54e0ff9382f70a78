import { ButtonLink } from '../../components/ScreenLink.tsx'
import { useFeed } from '../../data/feed.ts'
import { openConnect } from '../../data/overlays.ts'
import { Button, CopyButton } from '../../ui/Button.tsx'
import { Row, Section, Stack } from '../../ui/Layout.tsx'
import { Note } from '../../ui/Notice.tsx'
import styles from './Now.module.css'

/** The ways to begin in an empty world. */
export function Doors() {
  const address = useFeed((feed) => feed.world?.api ?? '')
  return (
    <Stack columns="repeat(3, minmax(0, 1fr))" narrows className={styles.doors} line="bottom">
      <Section title="Point my app here">
        <Note>Set the base URL of your app to this address, and sign in with the HMAC key.</Note>
        <Row gap={8} pad="0 16 12" wraps>
          <code className="wrap">{address}</code>
          <CopyButton text={address} what="Base URL" label="Copy" />
          <Button primary onClick={openConnect}>
            Key and code
          </Button>
        </Row>
      </Section>
      <Section title="Play a scenario here">
        <Note>A scenario makes Customers and payments.</Note>
        <Row gap={8} pad="0 16 12">
          <ButtonLink screen="scenarios">Choose a scenario</ButtonLink>
        </Row>
      </Section>
      <Section title="Reproduce a case">
        <Note>From a HAR file, a bundle or curl lines.</Note>
        <Row gap={8} pad="0 16 12">
          <ButtonLink screen="requests" params={{ replay: ['import'] }}>
            Import
          </ButtonLink>
        </Row>
      </Section>
    </Stack>
  )
}
