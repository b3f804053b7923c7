/**
 * Set up before each spec: the specs of a worker share the clock of its process, which remembers every step. One that sets
 * the time would leave the step to those after it.
 */
import { beforeEach } from 'vitest'
import { wallClock } from '../clock/wallClock.ts'

const unknown = { certain: { wall: 0, boot: 0 }, gaps: [], steps: [] }
const beginAnew = () => wallClock.resume(unknown, false)

beginAnew()
beforeEach(beginAnew)
