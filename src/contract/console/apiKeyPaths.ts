/** Paths of the gateway for the API keys that its connections use. Apart from the others, because the frame needs none of them. */
export const apiKeyPaths = {
  /** When the key of a connection expires: `connectionKey`. */
  connectionKey: '/api/connections/{connectionId}/key',
  rotations: '/api/connections/{connectionId}/api-key-rotations',
  rotation: '/api/connections/{connectionId}/api-key-rotations/{rotationId}',
  rotationResume: '/api/connections/{connectionId}/api-key-rotations/{rotationId}/resume',
  rotationUndo: '/api/connections/{connectionId}/api-key-rotations/{rotationId}/undo',
  /** Deletes the old key, after which nothing can be undone. */
  rotationFinish: '/api/connections/{connectionId}/api-key-rotations/{rotationId}/finish',
} as const
