// An OpenID provider for the sign-in of the console. The name of the account decides about its tokens: "nobody" has no
// workspace, "large" a token that does not fit into a cookie, "brief" one that expires soon.
import { generateKeyPairSync } from 'node:crypto';
import Provider from 'oidc-provider';

const { ISSUER, AUDIENCE, CLIENT_SECRET, REDIRECT_URIS, WORKSPACE } = process.env;
const key = { ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' };
const BRIEF_SECONDS = 15;

const provider = new Provider(ISSUER, {
  clients: [
    {
      client_id: 'waybill-console',
      client_secret: CLIENT_SECRET,
      redirect_uris: REDIRECT_URIS.split(' '),
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
  ],
  jwks: { keys: [key] },
  cookies: { keys: [CLIENT_SECRET] },
  pkce: { required: () => true },
  features: {
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({ scope: '', audience: AUDIENCE, accessTokenFormat: 'jwt', jwt: { sign: { alg: 'RS256' } } }),
    },
  },
  ttl: { AccessToken: (_, token) => (token.accountId === 'brief' ? BRIEF_SECONDS : 600), IdToken: 600 },
  findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
  extraTokenClaims: (_, token) => ({
    ...(token.accountId === 'nobody' ? {} : { tenant_id: WORKSPACE }),
    ...(token.accountId === 'large' ? { groups: 'g'.repeat(4000) } : {}),
    waybill_role: 'admin',
  }),
});

provider.listen(Number(new URL(ISSUER).port), '127.0.0.1', () => console.log('ready'));
