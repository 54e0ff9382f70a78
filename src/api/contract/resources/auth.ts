import { z } from 'zod'
import { endpoint } from '../terms/endpoint.ts'

const AccessToken = z
  .object({
    token: z.string().meta({
      description: 'The access token. The whole value goes into the Authorization header of every other request.',
      examples: ['auth-header.payload.signature'],
    }),
  })
  .meta({ id: 'AccessToken' })

export const authEndpoints = {
  createAccessToken: endpoint({
    method: 'POST',
    path: '/auth',
    group: 'Auth',
    summary: 'Exchange a signed refresh token for an access token',
    description:
      'Exchanges a refresh token, a JWS with the claims `iat` and `sub` signed with the HMAC key of the Program, for an access token. The whole access token goes into the `Authorization` header of all other requests. It is valid for 8 hours.',
    token: 'refresh',
    status: 201,
    response: AccessToken,
    errors: [],
  }),
}
