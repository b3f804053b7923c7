/** Data pipes: section 5 of the managed reference. The stack has none yet, and says so as a deployment without pipes would. */
import type { Handlers } from '#contract/kernel.ts'
import type { pipes } from '#contract/pipes.ts'
import type { StackContext } from '../context.ts'
import { Refusal } from '../errors.ts'

export const pipeHandlers: Handlers<typeof pipes, StackContext> = {
  list: async () => [],

  async get({ params }) {
    throw new Refusal(404, params.dataPipeId)
  },
}
