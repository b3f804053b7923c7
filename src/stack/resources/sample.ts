/** The sample telemetry, its progress and its removal; telemetry that is missing and records that are damaged. */
import type { Handlers } from '#contract/wire/kernel.ts'
import type { sample, SampleStatus } from '#contract/stack/sample.ts'
import type { StackContext } from './context.ts'

const absent: SampleStatus = { state: 'absent', progress: 0, records: 0 }

export const sampleHandlers: Handlers<typeof sample, StackContext> = {
  get: async (_, context) => ({ ...((await context.sample?.status()) ?? absent), ...(await lossesOf(context)) }),
  delete: async (_, context) => ({ ...((await context.sample?.remove()) ?? absent), ...(await lossesOf(context)) }),
}

type Losses = Pick<SampleStatus, 'losses' | 'damaged'>

async function lossesOf({ telemetryLosses = [], damaged }: StackContext): Promise<Losses> {
  const found = await damaged?.()
  return { ...(telemetryLosses.length > 0 && { losses: [...telemetryLosses] }), ...(found && { damaged: found }) }
}
