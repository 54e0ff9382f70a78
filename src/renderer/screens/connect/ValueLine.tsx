import { CopyButton } from '../../ui/CopyButton.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './ValueLine.module.css'

/** A value to copy. */
export function ValueLine({ name, value }: { name: string; value: string }) {
  return (
    <div className={styles.value} data-value-line>
      <span>{name}</span>
      <code>
        <Text>{value}</Text>
      </code>
      <CopyButton text={value} what={name} label="Copy" />
    </div>
  )
}
