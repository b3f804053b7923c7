/** Where services can be, and their sizes of hardware: docs/DEPLOYMENTS.md#services. */
export const providers = ['aws', 'gcp', 'azure'] as const
export type Provider = (typeof providers)[number]

/** The regions of each provider. */
export const serviceRegions = {
  aws: [
    'ap-northeast-1',
    'ap-northeast-2',
    'ap-south-1',
    'ap-southeast-1',
    'ap-southeast-2',
    'ca-central-1',
    'eu-central-1',
    'eu-west-1',
    'eu-west-2',
    'il-central-1',
    'us-east-1',
    'us-east-2',
    'us-west-2',
  ],
  gcp: ['us-east1', 'us-central1', 'europe-west2', 'europe-west4', 'asia-southeast1', 'asia-northeast1'],
  azure: ['eastus', 'eastus2', 'westus3', 'germanywestcentral', 'centralus'],
} as const satisfies Record<Provider, readonly string[]>

export const serviceProfiles = [
  'v1-default',
  'v1-highmem-xs',
  'v1-highmem-s',
  'v1-highmem-m',
  'v1-highmem-l',
  'v1-highmem-xl',
] as const
