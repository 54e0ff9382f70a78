/** The types of both APIs and the names of the control methods. The build writes them from the contract: scripts/types.mjs. */
export * from '../../../out/library/contract.ts'
