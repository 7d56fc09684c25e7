/** Defects that prove requirements, by id. Made from the mutants; npx vitest run --project own fixtures/proofs --update writes it. */
export const PROOFS: Readonly<Record<string, readonly string[]>> = {
  'transport/https': [
    'The service is offered over plain http.',
    'A list is redirected to plain http.',
    'A delete is redirected to plain http.',
  ],
  'transport/certificate': [
    'The certificate is not trusted.',
    'The certificate is for another host.',
    'The certificate has expired.',
  ],
  'transport/json': [
    'Lists start with a byte order mark.',
    'Answers are written in Latin-1.',
    'The answer to an update has a trailing comma.',
  ],
  'transport/media-type': [
    'Lists are JSON, but their Content-Type says HTML.',
    'Validation errors are JSON, but their Content-Type says plain text.',
    'The answer to a login is JSON, but its Content-Type says that it is a form.',
  ],
  'transport/media-type-named': [
    'The answer to a create has no Content-Type.',
    'The answer to a list has no Content-Type.',
    'The answer to a delete has no Content-Type.',
  ],
  'transport/no-server-error': [
    'A create without a name is answered 500.',
    'A delete of a missing tag is answered 500.',
    'A missing or invalid token is answered 500.',
  ],
  'transport/framing': [
    'The Content-Length of a list counts characters, not bytes.',
    'Validation errors are compressed, but their Content-Length is the uncompressed length.',
    'The answer to an update says that it is compressed, but it is not.',
  ],
  'transport/header-case': [
    'The token is read only if the header name is written exactly Authorization.',
    'The body of an update is read only if a header name is written exactly Content-Type.',
    'The token is not read if its header name is in capitals (create).',
  ],
  'transport/accept-with-weights': [
    'An Accept other than exactly application/json is answered 406.',
    'A list whose Accept names several types is redirected to a page.',
    'A create whose Accept has weights is answered 400.',
  ],
  'transport/content-type-with-charset': [
    'A Content-Type other than exactly application/json is answered 415.',
    'The body of a create is not read if its Content-Type continues after json.',
    'A charset that is not written UTF-8 in capitals is answered 400.',
  ],
  'transport/client-headers': [
    'The token is not read if the header name is in small letters.',
    'Compressed answers lack their end.',
    'Validation errors have no message in other languages than English.',
  ],
  'transport/chunked-body': [
    'Only the first chunk of a chunked body is read.',
    'Of a body only the piece that comes with the headers is read.',
    'Each piece of a body is decoded by itself.',
  ],
  'transport/body-of-refusal': [
    'The body of a create without a token is left unread.',
    'The body of an update of an unknown tag is left unread.',
    'The body of a create of another media type is left unread.',
  ],
  'transport/connection-keeps-nothing': [
    'The scopes of the first request of a connection hold for all its requests.',
    'The account of the first request of a connection holds for all its requests.',
    'A token with the scope api widens all later tokens on its connection.',
  ],
  'transport/works-to-the-end': [
    'A delete of a tag that was deleted long ago is confirmed.',
    'After a thousand requests, an update without a name is refused, but empties the name.',
    'Creates are answered 500 once an accented tag was deleted.',
  ],
  'transport/not-redirected': [
    'A list is redirected to plain http.',
    'A delete is redirected to plain http.',
    'A list is redirected to the same address with a slash at its end.',
  ],
  'login/answers': [
    'A login is answered 201.',
    'The answer to a login has a member token in place of access_token.',
    'The answer to a login has its token inside a member data.',
  ],
  'login/needs-no-authorization': [
    'A login without an Authorization header is answered 401.',
    'A login without an Authorization header is answered 403.',
    'A login without an Authorization header is answered 407.',
  ],
  'login/scope-api': [
    'A login is answered 201.',
    'The answer to a login has a member token in place of access_token.',
    'The answer to a login has its token inside a member data.',
  ],
  'login/scope-user': [
    'A login is answered 201.',
    'The answer to a login has a member token in place of access_token.',
    'The answer to a login has its token inside a member data.',
  ],
  'login/scope-user-read': [
    'A login is answered 201.',
    'The answer to a login has a member token in place of access_token.',
    'The answer to a login has its token inside a member data.',
  ],
  'login/scope-bank': [
    'A login is answered 201.',
    'The answer to a login has a member token in place of access_token.',
    'The answer to a login has its token inside a member data.',
  ],
  'login/scope-bank-read': [
    'A login is answered 201.',
    'The answer to a login has a member token in place of access_token.',
    'The answer to a login has its token inside a member data.',
  ],
  'login/scope-mutation': [
    'A login is answered 201.',
    'The answer to a login has a member token in place of access_token.',
    'The answer to a login has its token inside a member data.',
  ],
  'login/scope-mutation-read': [
    'A login is answered 201.',
    'The answer to a login has a member token in place of access_token.',
    'The answer to a login has its token inside a member data.',
  ],
  'login/several-scopes': [
    'A login for several scopes of which none writes is answered 422.',
    'A login for two scopes is answered 422.',
    'A login for several scopes of more than 30 characters together is answered 422.',
  ],
  'login/token-fits-a-header': [
    'The token ends in a line feed.',
    'The token is wrapped into lines of 76 characters.',
    'A token of more than 300 characters is wrapped into lines.',
  ],
  'login/not-cacheable': [
    'The answer with the token has no Cache-Control.',
    'The answer with the token may be stored, but must be revalidated.',
    'The answer with the token may be kept in any cache for an hour.',
  ],
  'login/password-not-echoed': [
    'The answer to a login repeats the whole request body.',
    'The answer to a failed login repeats the whole request body.',
    'The message about wrong credentials quotes the password.',
  ],
  'login/wrong-password': [
    'A login with wrong credentials is answered 401.',
    'The refusal of a login has an empty access_token.',
    'A login with wrong credentials is answered 200 with a message.',
  ],
  'login/unknown-username': [
    'A login of an unknown user ends in an exception, which closes the connection.',
    'A login with wrong credentials is answered 401.',
    'The refusal of a login has an empty access_token.',
  ],
  'login/tells-nobody-apart': [
    'A login with a wrong password is answered 422.',
    'A login with an unknown username is answered 404.',
    'A login with an unknown username is answered that there is no such user.',
  ],
  'login/password-letter-case': [
    'Passwords are compared without regard to letter case.',
    'A password that was typed with Caps Lock on is accepted.',
    'The first letter of a password may be in either case, as telephone keyboards write it.',
  ],
  'login/password-prefix': [
    'Passwords are kept in capitals and cut to 14 characters, as LM hashes are.',
    'Only the first eight characters of a password count, as for crypt.',
    'Every prefix of the right password is accepted, even an empty one.',
  ],
  'login/password-extended': [
    'Passwords are kept in capitals and cut to 14 characters, as LM hashes are.',
    'Only the first eight characters of a password count, as for crypt.',
    'A password that begins with the right one is accepted.',
  ],
  'login/password-of-another': [
    'The password of any account is accepted for every account.',
    'Every account accepts the password of the last account.',
    'Wrong credentials are answered 400 to a login for other scopes than api.',
  ],
  'login/username-lookalike': [
    'A login with an unknown username is accepted.',
    'The refusal of a login holds a valid token.',
    'The refusal of a login redirects to an address with a valid token.',
  ],
  'login/password-lookalike': [
    'The refusal of a login holds a valid token.',
    'The refusal of a login redirects to an address with a valid token.',
    'The refusal of a login sets a cookie that holds a valid token.',
  ],
  'login/username-absent': [
    'The account is looked up by the password alone.',
    'A missing field is left out of the query for the account.',
    'A missing, null or empty field is left out of the query for the account.',
  ],
  'login/username-garbled': [
    'The account is looked up by the password alone.',
    'Without a username that is text, the account is looked up by the password.',
    'Credentials that are objects are used as query operators.',
  ],
  'login/password-absent': [
    'The password of a login is used as a regular expression.',
    'A missing field is left out of the query for the account.',
    'A missing, null or empty field is left out of the query for the account.',
  ],
  'login/password-empty': [
    'Every prefix of the right password is accepted, even an empty one.',
    'The password of a login is used as a regular expression.',
    'A missing, null or empty field is left out of the query for the account.',
  ],
  'login/password-garbled': [
    'Credentials that are objects are used as query operators.',
    'A password that is not text is accepted, because the error of hashing it is ignored.',
    'The password true is accepted, because it loosely equals any text.',
  ],
  'login/garbled-anyhow': [
    'A username that is a number or a boolean is compared as a number, and most usernames are then 0.',
    'A password that is null, false or 0 is accepted.',
    'Credentials may be range operators, which log in to the first account in the range.',
  ],
  'login/json-escapes': [
    'A login with escapes in it is refused.',
    'A login whose first member is not the username is refused.',
    'A login is searched for its username and then for its password, and found without them in another order.',
  ],
  'login/at-once': [
    'The user of a login is kept in a variable that all logins share.',
    'The user of a login is kept in a variable that all logins share, while a slow hash is made.',
    'For a hundred requests, a login is given the token of a login before it, whatever scopes it asks for.',
  ],
  'token/suffices': [
    'A request also needs a cookie.',
    'A request also needs a CSRF token.',
    'A request also needs an API key.',
  ],
  'token/missing-on-create': [
    'A request without Authorization ends in an exception, which closes the connection.',
    'A token that is refused ends in an exception, which closes the connection.',
    'A create is carried out without a token.',
  ],
  'token/missing-on-update': [
    'A request without Authorization ends in an exception, which closes the connection.',
    'A token that is refused ends in an exception, which closes the connection.',
    'An update is carried out without a token.',
  ],
  'token/missing-on-list': [
    'A request without Authorization ends in an exception, which closes the connection.',
    'A token that is refused ends in an exception, which closes the connection.',
    'A list is answered without a token.',
  ],
  'token/missing-on-filtered-list': [
    'A request without Authorization ends in an exception, which closes the connection.',
    'A token that is refused ends in an exception, which closes the connection.',
    'A list is answered without a token.',
  ],
  'token/missing-on-delete': [
    'A request without Authorization ends in an exception, which closes the connection.',
    'A token that is refused ends in an exception, which closes the connection.',
    'A delete is carried out without a token.',
  ],
  'token/missing-on-other-paths': [
    'Any text counts as a token in the query string.',
    'A create with a query needs no token.',
    'An update that claims to be a GET needs no token.',
  ],
  'token/empty': [
    'Any Authorization header is accepted, whatever it holds.',
    'A create is carried out with any bearer token, even an empty one.',
    'A rename is carried out with any bearer token, even an empty one.',
  ],
  'token/made-up': [
    'Any Authorization header is accepted, whatever it holds.',
    'A create is carried out with any bearer token, even an empty one.',
    'A rename is carried out with any bearer token, even an empty one.',
  ],
  'token/never-issued': [
    'Any Authorization header is accepted, whatever it holds.',
    'A create is carried out with any bearer token, even an empty one.',
    'A rename is carried out with any bearer token, even an empty one.',
  ],
  'token/payload-changed': [
    'Any Authorization header is accepted, whatever it holds.',
    'A create is carried out with any bearer token, even an empty one.',
    'A rename is carried out with any bearer token, even an empty one.',
  ],
  'token/expiry-later': [
    'Any Authorization header is accepted, whatever it holds.',
    'A create is carried out with any bearer token, even an empty one.',
    'A rename is carried out with any bearer token, even an empty one.',
  ],
  'token/signature-start-changed': [
    'Any Authorization header is accepted, whatever it holds.',
    'A create is carried out with any bearer token, even an empty one.',
    'A rename is carried out with any bearer token, even an empty one.',
  ],
  'token/signature-end-changed': [
    'Any Authorization header is accepted, whatever it holds.',
    'A create is carried out with any bearer token, even an empty one.',
    'A rename is carried out with any bearer token, even an empty one.',
  ],
  'token/signature-stripped': [
    'Any Authorization header is accepted, whatever it holds.',
    'A create is carried out with any bearer token, even an empty one.',
    'A rename is carried out with any bearer token, even an empty one.',
  ],
  'token/algorithm-none': [
    'Any Authorization header is accepted, whatever it holds.',
    'A create is carried out with any bearer token, even an empty one.',
    'A rename is carried out with any bearer token, even an empty one.',
  ],
  'token/half-way-changed': [
    'Only the first half of a token is compared.',
    'Only the form of a token is checked.',
    'A token is looked up by its number, and the text after the bar is ignored.',
  ],
  'token/end-changed': [
    'Only the first half of a token is compared.',
    'Only the first 32 characters of a token are compared.',
    'Only the form of a token is checked.',
  ],
  'token/end-cut': [
    'Any Authorization header is accepted, whatever it holds.',
    'A create is carried out with any bearer token, even an empty one.',
    'A rename is carried out with any bearer token, even an empty one.',
  ],
  'token/altered-anywhere': [
    'Characters 3 and 4 of a signature are not compared.',
    'Characters 20 and 21 of a signature are not compared.',
    'Characters 40 and 41 of a signature are not compared.',
  ],
  'token/scope-widened': [
    'Any Authorization header is accepted, whatever it holds.',
    'A create is carried out with any bearer token, even an empty one.',
    'A rename is carried out with any bearer token, even an empty one.',
  ],
  'token/header-forged': [
    'The algorithm none is refused, but not its other spellings.',
    'The signature does not cover the header.',
    'A token with another algorithm than that of the service is not verified.',
  ],
  'token/form-forged': [
    'A token with another algorithm than that of the service is not verified.',
    'A token whose header names HS512 is not verified.',
    'Only the tokens of the first account are verified.',
  ],
  'token/replaced': [
    'The bearer null is one of the first user.',
    'A bearer that is the number of a user is one of that user.',
    'Tokens are looked up by LIKE.',
  ],
  'token/other-scheme': [
    'Any Authorization header is accepted, whatever it holds.',
    'The last word of the Authorization header counts as the token, whatever the scheme.',
    'The scheme Bearer is optional in the Authorization header.',
  ],
  'token/stands-for-the-account': [
    'Tags belong to a token, not to an account.',
    'Only the token that created a tag can update it.',
    'Only the token that created a tag can delete it.',
  ],
  'token/from-the-control-panel': [
    'Tags belong to a token, not to an account.',
    'Only the token that created a tag can update it.',
    'Only the token that created a tag can delete it.',
  ],
  'scope/api-permits-all': [
    'A token with the scope api may not create.',
    'A token with the scope api may not update.',
    'A token with the scope api may not delete.',
  ],
  'scope/api-among-others': [
    'Tags belong to a token, not to an account.',
    'Only the token that created a tag can update it.',
    'Only the token that created a tag can delete it.',
  ],
  'scope/any-order': [
    'A login for several scopes of which mutation is the first is answered 422.',
    'A login for several scopes of more than 40 characters together is answered 422.',
    'A login that asks for api first and for others behind it is answered 422.',
  ],
  'scope/sets': [
    'A login that asks for user first and for others behind it, but not for api, is answered 422.',
    'A scope of the area and one that manages something in another area permit writing together.',
    'A token that may list and manage something may also delete.',
  ],
  'scope/answers-alike': [
    'A create of a token for mutation alone answers a tag that is not kept.',
    'A create with a token for mutation alone is answered 201.',
    'An update with a token for mutation alone is answered 204.',
  ],
  'scope/read-only-cannot-write': [
    'Every scope whose name starts with mutation permits writing.',
    'Several read-only scopes together permit writing.',
    'A delete requires only the scope of a list.',
  ],
  'scope/refusal-has-no-effect': [
    'A create is refused for lack of scope, but carried out.',
    'An update is refused for lack of scope, but carried out.',
    'A delete is refused for lack of scope, but carried out.',
  ],
  'scope/limited-on-other-paths': [
    'A create with a query needs no scope.',
    'A delete that claims to be a GET needs no scope.',
    'A create that claims to be a GET needs the scope of a list.',
  ],
  'scope/other-areas-stay-out': [
    'An update requires a token, but no scope.',
    'A create is refused for lack of scope, but carried out.',
    'An update is refused for lack of scope, but carried out.',
  ],
  'create/answers': [
    'A create is answered 201.',
    'Every seventh valid create is refused, with the errors of another one.',
    'The answer to a create is the tag itself.',
  ],
  'create/echoes-name': [
    'The answer to a create leaves out the name.',
    'The answer to a create has the name in capitals.',
    'The answer to a create cuts the name to ten characters.',
  ],
  'create/persists': [
    'A created tag is not stored.',
    'A created tag is stored under a tag_id other than the one in the answer.',
    'A created tag is stored twice.',
  ],
  'create/distinct-ids': [
    'Every second tag is given the tag_id of the tag before it.',
    'The tag_id of a new tag is the number of tags, even if a tag has it.',
    'Tags that are created within 20 milliseconds may share a tag_id.',
  ],
  'create/assigns-the-id': [
    'A create uses the tag_id in its body, even if another tag has it.',
    'A create stores every member of its body, and fails at one that has no column.',
    'A create uses the id in its body if no tag has it.',
  ],
  'create/same-name-twice': [
    'Another delete of a deleted tag is answered 200 while a tag has its name.',
    'A second tag of one name is listed with a number behind its name.',
    'In the second account, a filter finds nothing.',
  ],
  'create/lasts': [
    'The tags that the first twelve lists showed are removed later.',
    'The names that the first twelve lists showed are cut to ten characters later.',
    'The tags that the first twelve lists showed are given a new tag_id later.',
  ],
  'create/json-spelling': [
    'The name in a create is found with a regular expression that expects it as the first member.',
    'Only the first 1024 bytes of the body of a create are read.',
    'Only the first 4096 bytes of the body of a create are read.',
  ],
  'create/json-escapes': [
    'Only the first 1024 bytes of the body of a create are read.',
    'Only the first 4096 bytes of the body of a create are read.',
    'A create finds the name within the first 200 characters only.',
  ],
  'create/name-missing': [
    'A create without a name is answered 500.',
    'A create or an update without a name ends in an exception, which closes the connection.',
    'A create without a name is answered 400.',
  ],
  'create/name-null': [
    'A create or an update without a name ends in an exception, which closes the connection.',
    'A create with the name null is answered 400.',
    'A create with the name null makes a tag with an empty name.',
  ],
  'create/name-array': [
    'A create with an array as its name is answered 400.',
    'A create with an array as its name makes a tag with an empty name.',
    'A create with an array as its name makes a tag with whatever it was given as its name.',
  ],
  'create/name-object': [
    'A create with an object as its name is answered 400.',
    'A create with an object as its name makes a tag with an empty name.',
    'A create with an object as its name makes a tag with whatever it was given as its name.',
  ],
  'create/name-number': [
    'A create with a number as its name is answered 400.',
    'A create with a number as its name makes a tag with an empty name.',
    'A create with a number as its name makes a tag with whatever it was given as its name.',
  ],
  'create/name-boolean': [
    'A create with a boolean as its name is answered 400.',
    'A create with a boolean as its name makes a tag with an empty name.',
    'A create with a boolean as its name makes a tag with whatever it was given as its name.',
  ],
  'create/body-empty': [
    'A body that is no object ends in an exception, which closes the connection.',
    'A body that cannot be parsed is answered 200 with an error.',
    'A create with an empty body makes a tag with an empty name.',
  ],
  'create/body-cut-short': [
    'A body that cannot be parsed is answered 200 with an error.',
    'A create whose body cannot be parsed uses the whole body as the name.',
    'A create whose body cannot be parsed is refused, but its last word becomes a tag.',
  ],
  'create/body-plain-words': [
    'A body that cannot be parsed is answered 200 with an error.',
    'A create whose body cannot be parsed uses the whole body as the name.',
    'A create whose body cannot be parsed is refused, but its last word becomes a tag.',
  ],
  'create/body-form': [
    'A body that cannot be parsed is answered 200 with an error.',
    'A create whose body cannot be parsed uses the whole body as the name.',
    'A create whose body cannot be parsed is refused, but its last word becomes a tag.',
  ],
  'create/body-scalar': [
    'A create whose body is null is refused, but makes a tag named untitled.',
    'A create whose body is not an object is answered 200 with an error.',
    'A create whose body is not an object is refused, but its text becomes a tag.',
  ],
  'create/body-array': [
    'A create whose body is [] is refused, but makes a tag named untitled.',
    'A create with a body that is an empty array is refused, but makes a tag named blank.',
    'A create whose body is not an object is answered 200 with an error.',
  ],
  'create/refused-for-good': [
    'Every 31st create is answered 422, but carried out.',
    'The tag of a name that is too long is made later, though its create was answered 422.',
    'The tag of a create without a token is made later, though it was answered 401.',
  ],
  'create/name-falsy': [
    'A create with a name that is false is refused, but makes a tag named blank.',
    'A create with the name 0 or false makes a tag without a title.',
    'A create with an empty array as its name makes a tag without a title.',
  ],
  'create/name-elsewhere': [
    'A create and an update also read the name inside a member tagging.',
    'A create and an update also read the name inside a member data.',
    'A create turns a list of several values into a name.',
  ],
  'update/answers': [
    'The answer to an update has a trailing comma.',
    'Every seventh update does not find its tag.',
    'An update is answered 204.',
  ],
  'update/takes-effect': [
    'Every 13th update leaves a second tag with the new name.',
    'Every 13th update leaves a second tag with the old name.',
    'In an account with more than 17 tags, an update of the seventh one has no effect.',
  ],
  'update/name-missing': [
    'A create or an update without a name ends in an exception, which closes the connection.',
    'An update without a name is answered 400.',
    'An update without a name is answered 200.',
  ],
  'update/name-null': [
    'A create or an update without a name ends in an exception, which closes the connection.',
    'An update with the name null is answered 400.',
    'An update with the name null is answered 200.',
  ],
  'update/name-array': [
    'An update with an array as its name is answered 400.',
    'An update with an array as its name is answered 200.',
    'An update with an array as its name is answered 422, but empties the name.',
  ],
  'update/name-object': [
    'An update with an object as its name is answered 400.',
    'An update with an object as its name is answered 200.',
    'An update with an object as its name is answered 422, but empties the name.',
  ],
  'update/name-number': [
    'An update with a number as its name is answered 400.',
    'An update with a number as its name is answered 200.',
    'An update with a number as its name is answered 422, but empties the name.',
  ],
  'update/name-boolean': [
    'An update with a boolean as its name is answered 400.',
    'An update with a boolean as its name is answered 200.',
    'An update with a boolean as its name is answered 422, but empties the name.',
  ],
  'update/name-falsy': [
    'An update with the name false empties the name, and one with an empty name is refused.',
    'An update cuts the fraction off a number and takes it for a name.',
    'An update with a falsy name is confirmed, but changes nothing.',
  ],
  'update/name-elsewhere': [
    'A create and an update also read the name inside a member tagging.',
    'A create and an update also read the name inside a member data.',
    'An update takes the name from a member called tag where it has none.',
  ],
  'update/no-object': [
    'A body that is no object ends in an exception, which closes the connection.',
    'An update whose body ends inside the name takes what there is of it.',
    'An update whose body is a number is confirmed, but changes nothing.',
  ],
  'update/to-any-name': [
    'After an update to the name that it has, the filter no longer finds a tag.',
    'An update to the name of another tag is answered 422, but carried out all the same.',
    'A filter in which small letters are followed by capitals finds nothing.',
  ],
  'update/to-a-name-alike': [
    'A list without a filter leaves out the names that begin with a blank.',
    'A name that is the same as that of another tag but for accents is kept as that one.',
    'An update that changes only blanks is confirmed, but changes nothing.',
  ],
  'update/every-time': [
    'In the second account, an update is confirmed, but lost.',
    'After a third update, the filter also goes by the names before.',
    'After an update that keeps the first four letters, the filter also goes by the names before.',
  ],
  'update/others-stay': [
    'An update renames all tags of the same name.',
    'An update renames all tags whose names begin with the old one.',
    'An update renames all tags of the same name in any letter case.',
  ],
  'update/keeps-the-id': [
    'An update takes the first member of its body for the name.',
    'An update uses the tag_id in its body.',
    'An update uses the id in its body.',
  ],
  'update/unknown-changes-nothing': [
    'An update of a deleted tag renames all tags.',
    'An update of a deleted tag renames all tags with a higher tag_id.',
    'An update of a deleted tag removes all tags with a lower tag_id.',
  ],
  'update/unknown-makes-nothing': [
    'An update of an unknown tag_id makes a tag with that tag_id.',
    'An update of an unknown tag_id is answered 404, but makes a tag.',
    'An update of a deleted tag brings it back under the new name.',
  ],
  'update/id-as-a-whole': [
    'A tag_id in a path is read only up to the first letter.',
    'The letters of a tag_id in a path are ignored.',
    'A tag_id in a path may have the form 12.0, as where SQLite compares it with an integer.',
  ],
  'list/answers': [
    'A list leaves out the error flag.',
    'The error flag of a list is a string.',
    'A list has its tags in the member data in place of tagging.',
  ],
  'list/answers-filtered': [
    'A list leaves out the error flag.',
    'The error flag of a list is a string.',
    'A list has its tags in the member data in place of tagging.',
  ],
  'list/answers-nothing': [
    'A list leaves out the error flag.',
    'The error flag of a list is a string.',
    'A list has its tags in the member data in place of tagging.',
  ],
  'list/error-is-false': [
    'The error flag of every list is true.',
    'The error flag is true if the filter matches nothing.',
    'The error flag of a list without a filter is true.',
  ],
  'list/filter-includes': [
    'Lists are cached by their filter, and a create does not clear the cache.',
    'A list with a filter leaves out the second tag after those that were there before.',
    'The filter matches nothing.',
  ],
  'list/filter-excludes': [
    'A list with a filter also shows the newest tag.',
    'Every other list with a filter also shows the newest tag.',
    'Every fifth list with a filter also shows the tag before the newest.',
  ],
  'list/filter-of-any-form': [
    'A list whose filter has more than 30 characters and matches nothing is answered 404.',
    'The filter still finds an updated tag by a part of its former name.',
    'In every query, what follows a commercial at in the filter is dropped.',
  ],
  'list/holds-all-tags': [
    'Lists without a filter are cached, and a create does not clear the cache.',
    'The list of an account is cached until a write, whatever its filter.',
    'A list lacks the tags behind the first 4 KB.',
  ],
  'list/ids-once': [
    'A list with a filter shows each tag twice.',
    'A list without a filter also shows the newest tag at its start.',
    'A list with a filter shows a tag of exactly that name twice.',
  ],
  'list/changes-nothing': [
    'A tag is removed after a filter for its name has found it twice.',
    'The name of a tag is cut to ten characters after a filter for it has found the tag twice.',
    'A tag is given a new tag_id after a filter for its name has found it twice.',
  ],
  'list/validators-change': [
    'The entity tag of a list is made of the number of its tags.',
    'The entity tag of a list is made of the tag_ids.',
    'The entity tag of a list is made of its address alone.',
  ],
  'list/agrees': [
    'One of three workers keeps old names.',
    'One of five workers keeps old names.',
    'Each token has a cache of lists that only its own writes clear.',
  ],
  'list/shows-effects-at-once': [
    'A new tag is missing from the first filtered and the first unfiltered list.',
    'A list is read from a cache, which an update or a delete refreshes and a create does not.',
    'A list shows no more tags than there were at the previous list of its kind.',
  ],
  'delete/answers': [
    'A delete is answered 405.',
    'A delete is answered 204.',
    'A delete is answered without a message.',
  ],
  'delete/every-tag': [
    'In the second account, deletes of existing tags are answered 403.',
    'A delete of a tag that was updated is answered 409.',
    'A delete of a tag that was updated is answered 422.',
  ],
  'delete/takes-effect': [
    'Every fifth delete only gives the tag another tag_id.',
    'A list that is filtered by the name of a deleted tag still shows it.',
    'A delete is confirmed, but the tag stays.',
  ],
  'delete/again-404': [
    'A delete of a missing tag ends in an exception, which closes the connection.',
    'A delete of a missing tag is answered 500.',
    'A second delete of a tag is answered 200.',
  ],
  'delete/unknown-404': [
    'A delete of a missing tag ends in an exception, which closes the connection.',
    'A delete of a missing tag is answered 500.',
    'Only the last three digits of a tag_id are compared, as in a table of 1 000 slots.',
  ],
  'delete/after-update': [
    'A create with the name of a deleted tag takes over the letter case of that name.',
    'A tag that is updated to the name of a deleted tag is no longer listed.',
    'An update of a deleted tag_id reaches the tag that has its name now.',
  ],
  'delete/others-stay': [
    'A delete removes all tags of the same name.',
    'A delete of a tag that was renamed to the name of another removes that one as well.',
    'A delete removes all tags whose names begin with the name of the deleted tag.',
  ],
  'delete/unknown-removes-nothing': [
    'Only the first half of a tag_id is compared.',
    'Only the last three digits of a tag_id are compared, as in a table of 1 000 slots.',
    'A delete of a tag_id that is not a number removes all tags.',
  ],
  'delete/id-as-a-whole': [
    'A delete of a missing tag is answered 500.',
    'A tag_id in a path is read only up to the first letter.',
    'The letters of a tag_id in a path are ignored.',
  ],
  'delete/id-percent-encoded': [
    'A percent-encoded character in a path is not decoded.',
    'A percent-encoded character in the path of a delete is not decoded.',
    'An update of a tag_id that is not all in plain characters is confirmed, but changes nothing.',
  ],
  'error/validation-body': [
    'The refusal of an update to an empty name has an array of errors.',
    'A validation error has no message.',
    'The message of a validation error is an object.',
  ],
  'error/says-something': [
    'A validation error names no field.',
    'A validation error of an update names no field.',
    'A validation error has an empty list of messages.',
  ],
  'error/names-the-field': [
    'A validation error names the field title in place of name.',
    'A validation error of a create names the field tagging.name.',
    'A validation error of an update writes the field in capitals.',
  ],
  'error/says-the-given-message': [
    'The message of a validation error is the first message about a field.',
    'The message of a validation error is the reason phrase of its status.',
    'The message of a validation error of an update is "Validation failed".',
  ],
  'error/discloses-no-internals': [
    'A body that cannot be parsed is answered with the stack trace of the parser.',
    'A validation error holds a stack trace, as in the debug mode of a framework.',
    'A delete of a missing tag is answered with the database query.',
  ],
  'name/letters': [
    'Names with a Q are answered 500.',
    'An update drops each 7.',
    'The filter is compared with names in which each Y is replaced by an X.',
  ],
  'name/blanks': [
    'A create with a token for mutation alone cuts the name at 20 characters.',
    'A tag that was made with a token for mutation alone is hidden from tokens for mutation_read.',
    'The filter is not decoded.',
  ],
  'name/punctuation': [
    'The filter is not decoded.',
    'The filter is decoded twice.',
    'An encoded plus in the filter is decoded as a blank.',
  ],
  'name/latin': [
    'An update with a token for api and others keeps ASCII only.',
    'With a token for mutation_read, the filter keeps ASCII only.',
    'Accents are dropped.',
  ],
  'name/scripts': [
    'In the second account, letters outside ASCII become question marks.',
    'Characters outside Latin-1 become question marks.',
    'An update to a name outside ASCII is answered 500.',
  ],
  'name/emoji': [
    'Emoji become question marks.',
    'Names with a character of four bytes in UTF-8 are answered 500.',
    'A tag with an emoji in its name cannot be deleted.',
  ],
  'name/control-characters': [
    'Names are cut at U+0000.',
    'Names with U+0000 are answered 500.',
    'Line separators are dropped.',
  ],
  'name/naughty-strings': [
    'In the second account, apostrophes are doubled.',
    'Names with a word in parentheses are answered 500.',
    'An update drops text in angle brackets.',
  ],
  'name/numbers': [
    'Zeros at the start of a number are dropped.',
    'Names that are numbers lose a decimal point followed by zeros.',
    'Names that are numbers lose zeros at the end, behind a decimal point.',
  ],
  'name/interpreted': [
    'In the second account, names are cut to 20 characters.',
    'A number sign at the start of a name is dropped.',
    'An update drops an at sign at the start of a name.',
  ],
  'name/whole-forms': [
    'A name of digits passes through a floating-point number.',
    'A number behind a hyphen at the end of a name is dropped.',
    'A name in brackets is decoded as a JSON array.',
  ],
  'name/bare': [
    'Names of one character are answered 500.',
    'The filter finds nothing by fewer than three characters.',
    'The name null is stored as an empty one.',
  ],
  'name/empty': [
    'A create with an empty name is refused, but makes a tag named blank.',
    'A create with an empty name makes a tag named null.',
    'A create with a blank name is confirmed, but makes no tag.',
  ],
  'name/edges': [
    'A comma at the end of a name is dropped.',
    'An update drops an emoji at the end of a name.',
    'A create with a capital letter at the end of the name is answered 500.',
  ],
  'name/long': [
    'An update to a name that is too long is answered 422, and the next create stores it as well.',
    'Names are cut to 40 characters.',
    'A name of 64 characters loses the last one.',
  ],
  'name/distinct': [
    'A create is answered with the tag_id of a tag whose name differs only in an emoji.',
    'A create renames the tag whose name differs only in a letter at its 15th and last place.',
    'A create renames the tag whose name differs only in digits.',
  ],
  'sequence/agrees-with-model': [
    'An update back to the previous name is confirmed, but lost.',
    'An update to the first name of another tag, since renamed, is confirmed, but lost.',
    'An update to the name of a deleted tag is confirmed, but lost.',
  ],
  'overlap/creates': [
    'If four creates overlap with one that is refused, they are confirmed, but lost.',
    'If four creates overlap, one is confirmed, but lost.',
    'If four creates overlap, each is answered with the tag of the one before it.',
  ],
  'overlap/explained-by-an-order': [
    'An update that overlaps with a delete of the tag restores it.',
    'If two deletes of one tag overlap, both are confirmed, but the tag stays.',
    'If two updates of one tag overlap, its name is made of both names.',
  ],
  'overlap/accounts': [
    'If creates in two accounts overlap, all are carried out for the account of the last one.',
    'If lists in two accounts overlap, all show the tags of the account of the first one.',
    'If updates in two accounts overlap, those of the second account are confirmed, but lost.',
  ],
  'overlap/reads-explained-by-an-order': [
    'While a tag is being updated, every second list already shows its new name.',
    'While a tag is being updated, lists show it under a name that it never has.',
    'While a tag is being updated, filtered lists use its new name and unfiltered lists its old one.',
  ],
  'account/list-is-private': [
    'A list to a token without api shows the tags of all accounts.',
    'A list shows the tags of all accounts.',
    'A list without a filter shows the tags of all accounts.',
  ],
  'account/filter-is-private': [
    'A filtered list to a token for api and others shows the tags of all accounts.',
    "A list with a filter that is a part of a name shows all accounts' tags that hold it.",
    'A list with an empty filter shows the tags of all accounts.',
  ],
  'account/update-is-private': [
    'An update with a token for api and others reaches the tags of all accounts.',
    "An update of another account's tag is refused, and so is the next update of the tag by its own account.",
    'The account of a token is cached by the first 16 characters of the token.',
  ],
  'account/delete-is-private': [
    'A delete with a token for api and others reaches the tags of all accounts.',
    'The account of a token is cached by the first 16 characters of the token.',
    'A delete by the first account finds the tags of the second.',
  ],
  'account/same-name': [
    'An update to the name of a tag of another account is confirmed, but lost.',
    'An update to the name of a tag of another account is answered 500.',
    'A create with the name of a tag in another account takes that tag away.',
  ],
  'account/ids-alike': [
    'A delete removes the tag with that tag_id from every account.',
    'An update renames the tag with that tag_id in every account.',
    'An update renames the tag with that tag_id in the first account that has one.',
  ],
  'account/names-are-its-own': [
    'A create with a name that another account has is answered 500.',
    'A create with a name that another account has is refused with 422.',
    'A create with a name that another account has is refused with 409.',
  ],
};
