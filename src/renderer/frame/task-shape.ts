import type { Task } from '../../api/contract/control.ts'
import type { ShapeName } from '../components/Shape.tsx'

export const shapeOfTask = ({ failed, held, recurring }: Task): ShapeName =>
  failed !== null ? 'broken' : held ? 'held' : recurring ? 'repeats' : 'under-way'
