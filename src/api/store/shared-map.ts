/**
 * A map that is forked without a copy. Until then it is one Map. From then on both have that Map, which no longer changes, and what
 * each changes is in a tree of its own: a fork of a fork shares that, too, and copies a leaf at its first write there. The
 * entries have no order.
 */
export class SharedMap<V> {
  readonly #base: Map<string, V>
  /** undefined until the first fork. */
  #changes: Tree<V> | undefined
  #size: number

  constructor(base = new Map<string, V>(), changes?: Tree<V>, size = base.size) {
    this.#base = base
    this.#changes = changes
    this.#size = size
  }

  get size(): number {
    return this.#changes ? this.#size : this.#base.size
  }

  get(key: string): V | undefined {
    const change = this.#changes?.get(key)
    return change === undefined ? this.#base.get(key) : change === REMOVED ? undefined : change
  }

  set(key: string, value: V) {
    if (!this.#changes) this.#base.set(key, value)
    else {
      if (this.get(key) === undefined) this.#size++
      this.#changes.set(key, value)
    }
  }

  delete(key: string) {
    if (!this.#changes) this.#base.delete(key)
    else if (this.get(key) !== undefined) {
      this.#size--
      this.#changes.set(key, REMOVED)
    }
  }

  /** Later changes of either map are not seen in the other. */
  fork(): SharedMap<V> {
    this.#size = this.size
    this.#changes ??= new Tree()
    return new SharedMap(this.#base, this.#changes.fork(), this.#size)
  }
}

const REMOVED = Symbol('removed')
type Change<V> = V | typeof REMOVED

/** Entries in leaves, by the hash of their keys. */
class Tree<V> {
  #root: TreeNode<V>
  /** Nodes with this mark belong to this tree alone. */
  #owner: object = {}

  constructor(root: TreeNode<V> = EMPTY_LEAF) {
    this.#root = root
  }

  fork(): Tree<V> {
    this.#owner = {}
    return new Tree(this.#root)
  }

  get(key: string): Change<V> | undefined {
    let node = this.#root
    // A small tree is one leaf and needs no hash.
    if (node.children)
      for (let hash = hashOf(key); node.children; hash >>>= BRANCH_BITS) node = node.children[hash & BRANCH_MASK]!
    return node.entries.get(key)
  }

  set(key: string, value: Change<V>) {
    const leaf = this.#leafFor(key)
    leaf.entries.set(key, value)
    if (leaf.entries.size > LEAF_SIZE << (LEAF_GROWTH_BITS * leaf.depth)) leaf.split()
  }

  /** The leaf to write to. */
  #leafFor(key: string): TreeNode<V> {
    const owner = this.#owner
    let node = this.#root
    if (node.owner !== owner) node = this.#root = node.copy(owner)
    if (node.children)
      for (let hash = hashOf(key); node.children; hash >>>= BRANCH_BITS) {
        const { children } = node
        const at = hash & BRANCH_MASK
        node = children[at]!
        if (node.owner !== owner) node = children[at] = node.copy(owner)
      }
    return node
  }
}

const BRANCH_BITS = 4
const BRANCH_MASK = (1 << BRANCH_BITS) - 1
/**
 * The leaf of a small tree has at most this many entries, those of each further level four times as many: a fork of a small world copies
 * little, and an entry of a large one is rarely moved.
 */
const LEAF_SIZE = 64
const LEAF_GROWTH_BITS = 2

/** A leaf with entries, or a branch. */
class TreeNode<V> {
  readonly owner: object | undefined
  readonly depth: number
  entries: Map<string, Change<V>>
  children: TreeNode<V>[] | undefined

  constructor(owner: object | undefined, depth: number, entries: Map<string, Change<V>>, children?: TreeNode<V>[]) {
    this.owner = owner
    this.depth = depth
    this.entries = entries
    this.children = children
  }

  copy(owner: object): TreeNode<V> {
    return this.children
      ? new TreeNode(owner, this.depth, this.entries, this.children.slice())
      : new TreeNode(owner, this.depth, new Map(this.entries))
  }

  /** Makes a leaf a branch. */
  split() {
    const branches = Array.from({ length: 1 << BRANCH_BITS })
    const children = branches.map(() => new TreeNode<V>(this.owner, this.depth + 1, new Map()))
    for (const [key, value] of this.entries)
      children[(hashOf(key) >>> (BRANCH_BITS * this.depth)) & BRANCH_MASK]!.entries.set(key, value)
    this.children = children
    this.entries = NO_ENTRIES
  }
}

const NO_ENTRIES = new Map<string, never>()
const EMPTY_LEAF: TreeNode<never> = new TreeNode(undefined, 0, NO_ENTRIES)

/** FNV-1a. Only the speed depends on it. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
