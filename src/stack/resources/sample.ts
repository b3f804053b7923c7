/** The sample telemetry: its progress and its removal. */
import type { Handlers } from '#contract/kernel.ts'
import type { sample, SampleStatus } from '#contract/sample.ts'
import type { StackContext } from './context.ts'

const absent: SampleStatus = { state: 'absent', progress: 0, records: 0 }

export const sampleHandlers: Handlers<typeof sample, StackContext> = {
  get: async (_, { sample }) => sample?.status() ?? absent,
  delete: async (_, { sample }) => sample?.remove() ?? absent,
}
