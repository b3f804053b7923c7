import { describe, expect, it } from 'vitest'
import { bucketBody, bucketModel } from './bucketForm.ts'

const empty = bucketModel.read(null)
const problemsOf = (form: typeof empty) =>
  (bucketModel.schema?.safeParse(form).error?.issues ?? []).map(({ path }) => path.join('.'))

describe('the form of a backup bucket', () => {
  it('sends the fields of its provider only, without empty ones', () => {
    const form = {
      ...empty,
      provider: 'GCP' as const,
      bucketPath: ' gs://b/p ',
      accessKeyId: 'key',
      containerName: 'c',
    }
    expect(bucketBody(form)).toEqual({ bucketProvider: 'GCP', bucketPath: 'gs://b/p', accessKeyId: 'key' })
  })

  it('requires the secret with every save, at its field', () => {
    const stored = { id: '1', bucketProvider: 'GCP', bucketPath: 'gs://b/p', accessKeyId: 'key' }
    expect(problemsOf(bucketModel.read(stored))).toEqual(['secretAccessKey'])
    expect(problemsOf({ ...bucketModel.read(stored), secretAccessKey: 'secret' })).toEqual([])
    expect(problemsOf({ ...empty, bucketPath: 'bucket' })).toEqual(['bucketPath', 'iamRoleArn'])
  })

  it('never formats a secret', () => {
    const form = { ...empty, secretAccessKey: 'do-not-show' }
    expect(bucketModel.formatValue('secretAccessKey', form)).not.toContain('do-not-show')
  })
})
