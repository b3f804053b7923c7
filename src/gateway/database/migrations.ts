/** The tables of the console's records: `console.db`, or on the server of `CONSOLE_DATABASE_URL`. */
import type { Migrations } from '#node/database/migrations.ts'
import { approvals, approvalOwners, agentApprovals, approvalNames } from './steps/approvalSteps.ts'
import {
  consolePlaces,
  keyRotations,
  sharedLists,
  recordLocks,
  requestBudgets,
  sentWrites,
  exclusiveConsoles,
  storeIdentity,
  clockMemory,
  temporaryConnections,
} from './steps/consoleSteps.ts'
import {
  runs,
  history,
  historyIndexes,
  audit,
  owners,
  otherWrites,
  auditPeople,
  lastReadings,
} from './steps/historySteps.ts'
import {
  people,
  identities,
  sessions,
  agentTokens,
  sharedLinks,
  savedStatements,
  usedStatements,
} from './steps/peopleSteps.ts'
import { samples, markers, serviceLoads, sizeLoads } from './steps/telemetrySteps.ts'

/** The statements of each step, in the order in which they run. Add a step at the end, and never edit one. */
const steps: readonly (readonly string[])[] = [
  runs,
  history,
  historyIndexes,
  audit,
  people,
  approvals,
  identities,
  sessions,
  consolePlaces,
  keyRotations,
  sharedLists,
  owners,
  recordLocks,
  approvalOwners,
  otherWrites,
  requestBudgets,
  sentWrites,
  exclusiveConsoles,
  samples,
  storeIdentity,
  auditPeople,
  clockMemory,
  temporaryConnections,
  markers,
  serviceLoads,
  agentApprovals,
  agentTokens,
  sizeLoads,
  sharedLinks,
  savedStatements,
  usedStatements,
  lastReadings,
  approvalNames,
]

export const migrations: Migrations = { both: steps.map((step) => step.join(';\n')), sortsByBytes: true }
