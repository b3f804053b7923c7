/**
 * Lets in so many gRPC calls at once that their messages fit into memory. The server unpacks a message as soon as it
 * has come, so a call waits here before any of its message is read; the sender waits with it.
 */
import { type Metadata, ServerInterceptingCall, type ServerInterceptor, status, type StatusObject } from '@grpc/grpc-js'
import { Capacity } from './capacity.ts'

export interface GrpcAdmissionOptions {
  /** What a call is refused with before its message is read; null for one that may come. */
  refusal: (metadata: Metadata) => Pick<StatusObject, 'code' | 'details'> | null
  /** Calls that receive a message at once. */
  maxReceiving: number
  /** Milliseconds for a message to come, from its turn on. */
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
