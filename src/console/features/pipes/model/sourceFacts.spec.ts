import { anything, assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { pipe } from '#contract/cloud/pipes/pipes.ts'
import { maskSecrets, sourceFacts } from './sourceFacts.ts'

test('secrets are masked at any depth', () => {
  const source = {
    mongodb: { uri: 'mongodb+srv://user:hunter2@cluster.example/db?authSource=admin' },
    objectStorage: {
      url: 's3://bucket/path/*.csv',
      connectionString: 'AccountKey=hunter2',
      accessKey: { id: 'hunter2' },
    },
    kafka: { brokers: 'b:9092', credentials: { password: 'hunter2' }, schemaRegistry: { url: 'https://u:hunter2@r' } },
  }
  const shown = JSON.stringify(maskSecrets(source))
  expect(shown).not.toContain('hunter2')
  expect(shown).toContain('s3://bucket/path/*.csv')
  expect(shown).toContain('b:9092')
})

test('a secret of any text is masked', () => {
  assert(
    property(string({ minLength: 8 }), (secret) => {
      const shown = maskSecrets({ a: [{ accessKey: { secretKey: secret }, password: secret }] })
      expect(shown).toEqual({ a: [{ accessKey: '•••', password: '•••' }] })
    }),
  )
})

test('whatever a deployment sends can be shown', () => {
  assert(property(anything(), (value) => void maskSecrets(value)))
})

test('the fields of the source are labeled as in the form, without empty fields and table mappings', () => {
  const source = {
    kafka: null,
    postgres: {
      host: 'db.example',
      port: 5432,
      disableTls: false,
      iamRole: '',
      settings: { pullBatchSize: 10 },
      tableMappings: [{ sourceSchemaName: 'public', sourceTable: 't', targetTable: 't' }],
    },
  }
  expect(sourceFacts({ id: 'p', source })).toEqual([
    ['Host', 'db.example'],
    ['Port', '5432'],
    ['Disable TLS', 'no'],
    ['Pull batch size', '10'],
  ])
})

test('fields that a form shows are left out, and unknown fields are labeled by their path', () => {
  const settings = { pullBatchSize: 5, deleteOnMerge: true }
  const one = pipe.parse({ id: 'p', source: { postgres: { host: 'db.example', settings } } })
  expect(sourceFacts(one, ['source.postgres.host', 'source.postgres.settings.pullBatchSize'])).toEqual([
    ['Settings, delete on merge', 'yes'],
  ])
})

test('values have the names of the form, and unknown ones what the deployment calls them', () => {
  const providerOf = (type: string) => sourceFacts(pipe.parse({ id: 'p', source: { kafka: { type } } }))
  expect(providerOf('msk')).toEqual([['Provider', 'Amazon MSK']])
  const replicationOf = (replicationMode: string) =>
    sourceFacts(pipe.parse({ id: 'p', source: { postgres: { settings: { replicationMode } } } }))
  expect(replicationOf('cdc')).toEqual([['Replication mode', 'Initial load and CDC']])
  const storageOf = (type: string) => sourceFacts(pipe.parse({ id: 'p', source: { objectStorage: { type } } }))
  expect(storageOf('file')).toEqual([['Storage', 'Local files']])
  expect(storageOf('constructor')).toEqual([['Storage', 'constructor']])
  expect(providerOf('newkafka')).toEqual([['Provider', 'newkafka']])
})
