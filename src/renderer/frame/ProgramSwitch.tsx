import { Menu } from '@base-ui/react/menu'
import { Check, ChevronDown } from 'lucide-react'
import { useFeed } from '../data/feed.ts'
import { chooseProgram, useProgram } from '../data/use-program.ts'
import { Text } from '../ui/Text.tsx'

/** Everything shown belongs to one Program. */
export function ProgramSwitch() {
  const programs = useFeed((feed) => feed.programs)
  const program = useProgram()
  return (
    <Menu.Root>
      <Menu.Trigger className="program">
        <span className="unseen">Switch Program.</span>
        <span className="grow">
          <b className="cut" title={program?.name}>
            {program && <Text>{program.name}</Text>}
          </b>
          <code className="cut">{program?.uid}</code>
        </span>
        <ChevronDown size={14} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="over" sideOffset={4} align="start">
          <Menu.Popup className="raised menu">
            <Menu.RadioGroup value={program?.uid} onValueChange={chooseProgram}>
              {programs.map(({ uid, name }) => (
                <Menu.RadioItem key={uid} value={uid} className="item" closeOnClick>
                  <span className="mark">
                    <Menu.RadioItemIndicator>
                      <Check size={13} aria-hidden="true" />
                    </Menu.RadioItemIndicator>
                  </span>
                  <Text>{name}</Text>
                  <span className="meta">
                    <span className="mono">{uid}</span>
                  </span>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
