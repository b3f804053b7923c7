/**
 * Limits concurrent gRPC calls so that their messages fit into memory. The server decompresses a message as soon as it
 * is received, so a call waits here before its message is read; the sender waits with it.
 */
import { type Metadata, ServerInterceptingCall, type ServerInterceptor, status, type StatusObject } from '@grpc/grpc-js'
import { Capacity } from './capacity.ts'

export interface GrpcAdmissionOptions {
  /** The status of a call that is refused before its message is read; null if it is allowed. */
  refusal: (metadata: Metadata) => StatusObject | null
  /** Maximum number of calls that receive a message concurrently. */
  maxReceiving: number
  /** Timeout in milliseconds for a message, after the wait. */
  receiveTimeout: number
}

export function grpcAdmission({ refusal, maxReceiving, receiveTimeout }: GrpcAdmissionOptions): ServerInterceptor {
  const room = new Capacity(maxReceiving)
  return (_method, call) => {
    let over = false
    let end = () => {
      over = true
    }
    const enter = async (): Promise<boolean> => {
      const leave = await room.enter(1)
      if (over) {
        leave()
        return false
      }
      const tooSlow = {
        code: status.DEADLINE_EXCEEDED,
        details: `the message did not come within ${receiveTimeout} ms`,
      }
      const timer = setTimeout(() => call.sendStatus(tooSlow), receiveTimeout)
      end = () => {
        end = () => undefined
        clearTimeout(timer)
        leave()
      }
      return true
    }
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, next) => {
            const refused = refusal(metadata)
            if (refused) call.sendStatus(refused)
            else void enter().then((entered) => entered && next(metadata))
          },
          onReceiveHalfClose: (next) => {
            end()
            next()
          },
          onCancel: () => end(),
        }),
    })
  }
}
