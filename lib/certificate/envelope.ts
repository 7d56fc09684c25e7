import { sign, verify } from 'node:crypto';
import { z } from 'zod';
import type { SigningKey, VerificationKey } from './keys.ts';

/** The type of the content that is signed: a statement of the in-toto Attestation Framework. */
const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/**
 * A signed text (DSSE, the Dead Simple Signing Envelope, version 1.0.2). Its payload and signatures are Base64 as in
 * RFC 4648, section 4.
 */
const envelopeSchema = z.object({
  payloadType: z.string(),
  payload: z.string().describe('What is signed, in Base64.'),
  signatures: z.array(z.object({ keyid: z.string().optional(), sig: z.string() })),
});

export type Envelope = z.infer<typeof envelopeSchema>;

/** The bytes that a signature covers: DSSE's pre-authentication encoding, which counts lengths in bytes. */
export function preAuthEncoding(payloadType: string, payload: Uint8Array): Buffer {
  const type = Buffer.from(payloadType);
  return Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${payloadType} ${payload.length} `), payload]);
}

/** Signs a text with Ed25519. */
export function seal(text: string, { key, keyid }: SigningKey): Envelope {
  const payload = Buffer.from(text);
  const sig = sign(null, preAuthEncoding(PAYLOAD_TYPE, payload), key).toString('base64');
  return { payloadType: PAYLOAD_TYPE, payload: payload.toString('base64'), signatures: [{ keyid, sig }] };
}

/** The content of an envelope, or the reason why it is refused. */
export type Opened =
  { readonly payload: string; readonly key: VerificationKey } | { readonly refusal: string };

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Opens an envelope that one of these keys has signed. */
export function unseal(text: string, keys: readonly VerificationKey[]): Opened {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { refusal: `The certificate is not JSON: ${(error as Error).message}.` };
  }
  const { success, data } = envelopeSchema.safeParse(value);
  if (!success)
    return {
      refusal:
        'The certificate is not a DSSE envelope, which has the members payloadType, payload and signatures.',
    };
  const { payloadType, payload, signatures } = data;
  if (payloadType !== PAYLOAD_TYPE)
    return {
      refusal: `The envelope holds ${JSON.stringify(payloadType)}, not a statement (${PAYLOAD_TYPE}).`,
    };
  if (signatures.length === 0) return { refusal: 'The certificate has no signature.' };
  if (!BASE64.test(payload)) return { refusal: 'The payload of the envelope is not Base64.' };
  const bytes = Buffer.from(payload, 'base64');
  const signed = preAuthEncoding(payloadType, bytes);
  for (const { sig } of signatures) {
    if (!BASE64.test(sig)) return { refusal: 'The signature of the envelope is not Base64.' };
    const key = keys.find((one) => verify(null, signed, one.key, Buffer.from(sig, 'base64')));
    if (key !== undefined) return { payload: bytes.toString(), key };
  }
  const named = signatures.flatMap(({ keyid }) => keyid ?? []);
  return {
    refusal: keys.some(({ ids }) => named.some((keyid) => ids.includes(keyid)))
      ? 'The signature does not fit the certificate: one of the two was changed after the certificate was signed.'
      : `The certificate is signed with another key (${named.join(', ') || 'it names none'}) than ${keys.length === 1 ? 'the given one' : 'those given'} (${keys.map(({ ids }) => ids[0] ?? '').join(', ')}).`,
  };
}
