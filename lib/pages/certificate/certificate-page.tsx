import type { Child } from 'hono/jsx';
import type { Statement } from '../../certificate/statement.ts';
import { generatedSentence } from '../../certificate/telling.ts';
import { dayOf } from '../../certificate/validity.ts';
import { documentOf } from '../document.tsx';
import { moment } from '../../reports/moment.ts';
import { visible } from '../visible.ts';
import { Levels } from './levels.tsx';
import { Limits } from './limits.tsx';

/**
 * A certificate as one HTML file for people. Only `certificate.json` is signed, and the page says so.
 *
 * @param keyid the key that signed it.
 */
export function certificatePage({ predicate, subject }: Statement, keyid: string): string {
  const { product, target, specification, notAfter, power } = predicate;
  return documentOf(
    visible(`${product.name} ${product.version}: certificate`),
    <>
      <header>
        <p class="eyebrow">Certificate of conformance</p>
        <div class="headline good">
          <h1>
            {visible(`${product.name} ${product.version}`)} conforms to {specification.title}
          </h1>
          <p>
            Valid until <time datetime={notAfter}>{moment(notAfter)}</time>.
            {target.isReference
              ? ' The target was the reference server of the suite itself, so this certifies the suite and no product.'
              : ''}
          </p>
        </div>
      </header>
      <Facts {...{ predicate, subject }} keyid={keyid} />
      <Levels levels={predicate.levels} />
      <p>
        The tests of this version of the suite prove that it finds each of {power.mutants} servers with one
        defect and passes each of {power.variants} servers that conform in other ways.{' '}
        {power.generated === undefined ? '' : generatedSentence(power.generated)}
      </p>
      <Limits predicate={predicate} />
      <section aria-labelledby="verify">
        <h2 id="verify">Verify it</h2>
        <p>
          This page proves nothing: only <code>certificate.json</code> is signed, with the key{' '}
          <code>{visible(keyid)}</code>. With the public key of its maker and the files beside it,
        </p>
        <pre>npx account-mutation-conformance verify certificate.json --key key.pub.pem</pre>
        <p>
          checks without a network that it has not expired and that all of it follows from the evidence. It
          vouches for
        </p>
        <table>
          <thead>
            <tr>
              <th scope="col">file</th>
              <th scope="col">SHA-256</th>
            </tr>
          </thead>
          <tbody>
            {subject.map(({ name, digest }) => (
              <tr>
                <th scope="row">
                  <a href={name}>{name}</a>
                </th>
                <td>
                  <code>{digest.sha256}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>This command certifies the product again:</p>
        <pre>{visible(predicate.reproduce)}</pre>
      </section>
    </>,
  );
}

/** What was certified, when, by whom, with what, and over what connection. */
function Facts({ predicate, keyid }: { predicate: Statement['predicate']; keyid: string }): Child {
  const { product, operator, target, suite, specification, catalogue, startedAt, endedAt } = predicate;
  const facts: readonly (readonly [string, Child])[] = [
    ['Product', visible(`${product.name} ${product.version}`)],
    ...(product.server.length === 0 ? [] : [['Sent as Server', visible(product.server.join(', '))] as const]),
    ['Target', visible(target.origin)],
    [
      'Connection',
      visible(
        `${target.tls.version}, ${target.tls.cipher}, ${target.family}; certificate of ${target.tls.issuer}`,
      ),
    ],
    ['Its certificate', <code>{target.tls.certificate}</code>],
    ['Run', `${moment(startedAt)} to ${moment(endedAt)}`],
    ...(operator === undefined ? [] : [['By', visible(operator)] as const]),
    ['Valid', `${dayOf(predicate.issuedAt)} to ${dayOf(predicate.notAfter)}`],
    [
      'Suite',
      `${suite.name} ${suite.version}${suite.commit === undefined ? '' : `, commit ${suite.commit}`}${suite.changed === true ? ', whose files were changed after it' : ''}`,
    ],
    [
      'Catalogue',
      <>
        {String(catalogue.requirements)} requirements, <code>{catalogue.sha256}</code>
      </>,
    ],
    [
      'Specification',
      <>
        {specification.title}, <code>{specification.sha256}</code>
      </>,
    ],
    ['Signed by', <code>{visible(keyid)}</code>],
  ];
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}
