import { ExternalLink, GitCompareArrows } from 'lucide-react'
import { shownWorld } from '../data/world-address.ts'
import { compareWorlds, openWorld } from '../data/worlds.ts'
import { Button } from '../ui/Button.tsx'

/** The world of a replay or a scenario, which stays until it is dropped. */
export const StayingWorld = ({ world }: { world: string }) => (
  <>
    <Button icon={GitCompareArrows} onClick={() => compareWorlds(shownWorld(), world)}>
      Compare <span className="unseen">{world}</span>
    </Button>
    <Button icon={ExternalLink} onClick={() => void openWorld(world)}>
      Open {world}
    </Button>
  </>
)
