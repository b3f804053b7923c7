/** The AWS client for one stream: its host is checked for every connection, and its errors are translated. */
import { KinesisClient, KinesisServiceException, type Shard } from '@aws-sdk/client-kinesis'
import { DescribeStreamSummaryCommand, ListShardsCommand } from '@aws-sdk/client-kinesis'
import { guardedAgent, HostRefused } from '../../net/guardedAgent.ts'
import { refuse } from '../../refusal.ts'
import type { HostCheck } from '../../net/reachableHosts.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { guardedHandler, TooLong } from './guardedHandler.ts'

export interface KinesisStream {
  client: KinesisClient
  name: string
  region: string
  /** All shards, also closed ones. @throws Refusal, or an Error for a failure that may pass */
  shards(signal: AbortSignal): Promise<Shard[]>
  /** The ARN of the stream. @throws like `shards` */
  arn(signal: AbortSignal): Promise<string>
  close(): Promise<void>
}

/** Shards of one stream. AWS allows 20,000 on request. */
const maxShards = 20_000
const regionName = /^[a-z0-9-]{1,63}$/

/**
 * @param endpoint the address of a server other than that of the region
 * @throws Refusal 400 for a source that this stack cannot read
 */
export function openKinesis(pipe: PipeDocument, endpoint: string | undefined, checkHost: HostCheck): KinesisStream {
  const { streamName, region, authentication, useEnhancedFanOut } = pipe.source?.kinesis ?? {}
  if (authentication === 'IAM_ROLE') {
    throw refuse('source.kinesis.authentication: this stack cannot assume a role. Use IAM_USER, with an accessKey')
  }
  if (!regionName.test(region ?? '')) throw refuse('source.kinesis.region: must be a region such as eu-central-1')
  // Validated when the pipe was created.
  const key = pipe.internal.secrets?.['accessKey'] as { accessKeyId: string; secretKey: string } | undefined
  if (!key) throw refuse('source.kinesis.accessKey: IAM_USER needs an accessKey')
  // Subscriptions need HTTP/2, at least where the service is the one of AWS.
  const agent = guardedAgent(checkHost, { allowH2: useEnhancedFanOut ?? false })
  const client = new KinesisClient({
    region: region ?? '',
    credentials: { accessKeyId: key.accessKeyId, secretAccessKey: key.secretKey },
    requestHandler: guardedHandler(agent),
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    ...(endpoint !== undefined && { endpoint }),
  })
  const name = streamName ?? ''

  async function shards(abortSignal: AbortSignal): Promise<Shard[]> {
    const found: Shard[] = []
    let next: string | undefined
    do {
      const page = await client.send(new ListShardsCommand(next ? { NextToken: next } : { StreamName: name }), {
        abortSignal,
      })
      found.push(...(page.Shards ?? []))
      next = page.NextToken
      if (found.length > maxShards || (next && !page.Shards?.length)) {
        throw refuse(`the server lists more than ${maxShards} shards of ${name}`)
      }
    } while (next)
    return found
  }

  return {
    client,
    name,
    region: region ?? '',
    shards: (signal) => shards(signal).catch(failWith(name)),
    arn: (abortSignal) =>
      client
        .send(new DescribeStreamSummaryCommand({ StreamName: name }), { abortSignal })
        .then(({ StreamDescriptionSummary: summary }) => summary?.StreamARN ?? '', failWith(name)),
    async close() {
      client.destroy()
      await agent.destroy()
    },
  }
}

/** Errors that repeating does not change, with what they mean. */
const permanent: Record<string, string> = {
  ResourceNotFoundException: 'the stream does not exist in this region',
  AccessDeniedException: 'the access key may not read the stream',
  UnrecognizedClientException: 'the access key is not known',
  InvalidSignatureException: 'the secret access key is wrong',
  IncompleteSignatureException: 'the access key is not valid',
  SignatureDoesNotMatch: 'the secret access key is wrong',
  ExpiredTokenException: 'the access key has expired',
  MissingAuthenticationTokenException: 'the access key is not valid',
  KMSAccessDeniedException: 'the access key may not decrypt the stream',
  InvalidArgumentException: 'the server refuses the request',
}

/** Rethrows an error of the AWS client. @throws Refusal if repeating does not help, else an Error with a reason */
export const failWith =
  (stream: string) =>
  (error: unknown): never => {
    throw translated(error, stream)
  }

function translated(error: unknown, stream: string): unknown {
  if (!(error instanceof Error)) return error
  const cause = rootCause(error)
  if (cause instanceof HostRefused || cause instanceof TooLong)
    return refuse(`failed to read ${stream}: ${cause.message}`)
  const meaning = permanent[error.name]
  if (meaning) return refuse(`failed to read ${stream}: ${meaning} (${error.name}: ${error.message})`)
  if (error instanceof KinesisServiceException) return new Error(`${stream}: ${error.name}: ${error.message}`)
  return error
}

function rootCause(error: Error): Error {
  return error.cause instanceof Error ? rootCause(error.cause) : error
}
