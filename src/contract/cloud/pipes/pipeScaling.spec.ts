import { describe, expect, it } from 'vitest'
import { pipeKinds } from '../pipeKinds.ts'
import {
  cdcRatioProblem,
  cdcScalingInput,
  isTransient,
  unsupportedParameterReason,
  scalingParametersOf,
  pipeScalingParameters,
  pipeScaling,
  pipeScalingInput,
} from './pipeScaling.ts'

describe('pipeScalingInput', () => {
  it.each([[{}], [{ replicas: null }], [{ replicas: null, concurrency: null }]])(
    'rejects %j, which changes nothing',
    (body) => {
      expect(pipeScalingInput.safeParse(body).success).toBe(false)
    },
  )

  it('treats null beside a value as unchanged', () => {
    expect(pipeScalingInput.parse({ replicas: 2, concurrency: null })).toEqual({ replicas: 2, concurrency: null })
  })

  it('names an unknown field', () => {
    const parsed = pipeScalingInput.safeParse({ replicas: 2, replica: 3 })
    expect(parsed.error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['replica'] }])
  })
})

describe('quantities in responses', () => {
  it.each([
    ['250m', '512Mi', 250, 0.5],
    ['2', '8Gi', 2000, 8],
    ['0.5', '1.5Gi', 500, 1.5],
    [125, 0.5, 125, 0.5],
  ])('reads %s and %s', (cpu, memory, millicores, gigabytes) => {
    expect(pipeScaling.parse({ replicaCpuMillicores: cpu, replicaMemoryGb: memory })).toEqual({
      replicaCpuMillicores: millicores,
      replicaMemoryGb: gigabytes,
    })
  })

  it('rejects any other text', () => {
    expect(pipeScaling.safeParse({ replicaCpuMillicores: 'much' }).success).toBe(false)
  })
})

it('distinguishes a placeholder from a value', () => {
  expect(isTransient('replicas', 0)).toBe(true)
  expect(isTransient('concurrency', 0)).toBe(false)
  expect(isTransient('replicaMemoryGb', 0.5)).toBe(false)
  expect(isTransient('replicaMemoryGb', null)).toBe(false)
})

describe('scaling parameters', () => {
  it('apply to their source types', () => {
    expect(scalingParametersOf('kafka')).toEqual(['replicas', 'replicaCpuMillicores', 'replicaMemoryGb'])
    expect(scalingParametersOf('objectStorage')).toEqual(['concurrency'])
    expect(scalingParametersOf('postgres')).toEqual([])
    expect(scalingParametersOf(null)).toEqual(pipeScalingParameters)
  })

  it('name the supported ones where one does not apply', () => {
    for (const kind of pipeKinds) {
      for (const parameter of pipeScalingParameters.filter(
        (pipeScalingParameter) => !scalingParametersOf(kind).includes(pipeScalingParameter),
      )) {
        expect(unsupportedParameterReason(parameter, kind)).toMatch(/pipes (scale by|share) /)
      }
    }
  })
})

describe('shared size of database pipes', () => {
  it('has four GiB for each core', () => {
    expect(cdcRatioProblem({ replicaCpuMillicores: 2000, replicaMemoryGb: 8 })).toBeNull()
    expect(cdcRatioProblem({ replicaCpuMillicores: 2000, replicaMemoryGb: 16 })).toContain('8 for 2000 millicores')
  })

  it('requires a field', () => {
    expect(cdcScalingInput.safeParse({}).success).toBe(false)
    expect(cdcScalingInput.safeParse({ replicaMemoryGb: 8 }).success).toBe(true)
  })
})
