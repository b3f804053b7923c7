/** Which telemetry is missing. */
import type { Handlers } from '#contract/kernel.ts'
import type { telemetryLosses } from '#contract/telemetryLosses.ts'
import type { StackContext } from './context.ts'

export const telemetryLossHandlers: Handlers<typeof telemetryLosses, StackContext> = {
  get: async (_, { telemetryLosses: losses = [] }) => ({ losses: [...losses] }),
}
