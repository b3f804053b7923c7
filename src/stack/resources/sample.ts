/** The sample telemetry, its progress and its removal, and telemetry that is missing. */
import type { Handlers } from '#contract/kernel.ts'
import type { sample, SampleStatus } from '#contract/sample.ts'
import type { StackContext } from './context.ts'

const absent: SampleStatus = { state: 'absent', progress: 0, records: 0 }

export const sampleHandlers: Handlers<typeof sample, StackContext> = {
  get: async (_, { sample, telemetryLosses }) => ({ ...(sample?.status() ?? absent), ...lossesOf(telemetryLosses) }),
  delete: async (_, { sample, telemetryLosses }) => ({
    ...((await sample?.remove()) ?? absent),
    ...lossesOf(telemetryLosses),
  }),
}

function lossesOf(losses: readonly string[] = []): Pick<SampleStatus, 'losses'> {
  return losses.length > 0 ? { losses: [...losses] } : {}
}
