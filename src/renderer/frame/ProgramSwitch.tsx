import { ChevronDown } from 'lucide-react'
import { useFeed } from '../data/feed.ts'
import { chooseProgram, useProgram } from '../data/use-program.ts'
import { PlainButton } from '../ui/Button.tsx'
import { Text } from '../ui/Text.tsx'
import { RadioMenu } from './late.tsx'
import styles from './ProgramSwitch.module.css'

/** Chooses the Program whose records the window shows. */
export function ProgramSwitch() {
  const programs = useFeed((feed) => feed.programs)
  const program = useProgram()
  return (
    <RadioMenu
      trigger={
        <PlainButton className={styles.program}>
          <span className="unseen">Switch Program.</span>
          <span className="grow">
            <b className="cut" title={program?.name}>
              {program && <Text>{program.name}</Text>}
            </b>
            <code className="cut">{program?.uid}</code>
          </span>
          <ChevronDown size={14} aria-hidden="true" />
        </PlainButton>
      }
      value={program?.uid}
      onChange={chooseProgram}
      options={programs.map(({ uid, name }) => ({
        value: uid,
        label: (
          <>
            <Text>{name}</Text>
            <span className="meta">
              <span className="mono">{uid}</span>
            </span>
          </>
        ),
      }))}
    />
  )
}
