import { Stack } from '../../ui/Box.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Text } from '../../ui/Text.tsx'

/** A value to copy. */
export function ValueLine({ name, value }: { name: string; value: string }) {
  return (
    <Stack columns="88px minmax(0, 1fr) auto" gap={4} pad="4 16" least={40} line="top" style={CENTERED} data-value-line>
      <span className="data faint">{name}</span>
      <code className="wrap" style={{ lineHeight: '16px' }}>
        <Text>{value}</Text>
      </code>
      <CopyButton text={value} what={name} label="Copy" />
    </Stack>
  )
}

const CENTERED = { alignItems: 'center', alignContent: 'center' }
