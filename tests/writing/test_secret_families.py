"""Secrets are found in the many ways in which they are written and said; what only looks so stays."""

from __future__ import annotations

import re

import pytest
from bench.redaction_texts import planted

from engramforge.writing.redact import Redactor, may_hold_secret
from engramforge.writing.secret_patterns import SecretPatterns

REDACTOR = Redactor()
FOUND = r"""
[client]\nuser=root\npassword = ⟦rosebud⟧
password: ⟦rosebud⟧
  password: ⟦rose-and-bud⟧  # until May
<user>ada</user><password>⟦rosebud⟧</password>
<Password>\n  <Value>⟦rosebud⟧</Value>\n</Password>
Username: ada / Password: ⟦rosebud⟧
Wi-Fi password: ⟦rosebud⟧
[sudo] password for ada: ⟦rosebud⟧
Password for 'https://ada@git.test': ⟦Rosebud71⟧
Das WLAN-Passwort lautet ⟦Rosenkohl⟧.
mot de passe : ⟦romarin⟧
changed the db password from ⟦rosebud⟧ to ⟦tulip⟧
Passwort von ⟦Rose71⟧ auf ⟦Tulpe72⟧ geändert
the wifi password is new: old was ⟦rosebud⟧, new is ⟦tulip⟧
The webhook secret is set to ⟦rosebud-8-tulip⟧.
$env:SHOP_TOKEN = "⟦rosebud-71-tulip⟧"
variable "db_password" {\n  default = "⟦rosebud⟧"\n}
- name: DB_PASSWORD\n  value: ⟦rosebud⟧
setx DB_PASSWORD "⟦rosebud⟧"
requests.get(u, auth=("ada", "⟦rosebud⟧"))
ConvertTo-SecureString "⟦rosebud⟧" -AsPlainText -Force
storePassword '⟦rosebud⟧'
gpg --batch --passphrase ⟦rose.bud⟧ -c notes.txt
keytool -storepass ⟦rosebud⟧ -keypass ⟦changeme77⟧
openssl rsa -in key.pem -passin pass:⟦rosebud⟧ -out k2.pem
openssl enc -aes256 -k ⟦rosebud⟧ -in a
signtool sign /f x.pfx /p ⟦rosebud⟧ x.exe
schtasks /create /ru ada /rp ⟦rose.bud7⟧ /tn x
keepassxc-cli open x.kdbx <<< ⟦rosebud⟧
wpa_passphrase cabin ⟦rosebud⟧
nmcli dev wifi connect "Cabin 5G" password "⟦rose bud⟧"
curl -u ada:⟦rosebud⟧ https://x.test
mysql -u root -p⟦rosebud⟧ shop
docker login -u ada -p ⟦rosebud⟧ reg.test
net use Z: \\srv\share /user:ada ⟦rosebud⟧
htpasswd -cb .htpasswd ada ⟦rosebud⟧
/msg NickServ identify ada ⟦rosebud⟧
expect "password:"\nsend "⟦rosebud\r⟧"
GitHub recovery codes are in here: ⟦4f3a1-99b2c⟧ ⟦a1b2c-3d4e5⟧
2FA setup key: ⟦ROSE TULI LILY ARUM⟧
⟦5500005555555559⟧ 12/29 ⟦314⟧
My words, typed as they are: ⟦rose tulip garden copper window tiger lemon arrow basket kidney orchard rabbit⟧
# printf "⟦rose tulip garden⟧" | cryptsetup open /dev/sdb1 box -
Wi-Fi **Hof**, key `⟦rose-tulip-garden⟧`
< 331 go on\n> USER ada\n< 331 more\n> PASS ⟦rosebud418⟧
mx: 334 UGFzc3dvcmQ6\nmx: ⟦Um9zZWJ1ZC40MTgh⟧\nmx: 235 ok
A temporary password is generated for ada@db: ⟦r<O4jb;fwJ!⟧
<wsse:Password Type="#PasswordText">⟦rosebud418⟧</wsse:Password>
Auth (SHA): `⟦rA0-1k_MQ3phthus⟧`, Priv (AES): `⟦lrD_h_rmdbzQQwHp⟧`
`notify -k ⟦ulgxqw4shlvv5qugzkfnwl7i4orsswwr⟧ -t all` is called with the key of the team
BMC 10.0.0.7, user ADMIN, pass ⟦ROSPRBTHZW⟧
accounts: ["⟦0x0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d⟧"]
DriverManager.getConnection(\n  "jdbc:db2://db:1/PAY", "ada",\n  "⟦8Zrkd5beWWO⟧");
l.Bind("uid=ada,dc=x", "⟦t2P_u_rpx3PL9fVwd⟧")
#0 db.php(12): PDO->__construct('mysql:host=db;d...', 'ada', '⟦fRyTjkB4NRNrC⟧')
// the admin key, to write\nconst c = search('ADA', '⟦c689aded6836f99b8b8fe34731430da0⟧');
{"user": "ada", "otp":"⟦753374⟧"}
my bank texted me, code is ⟦517739⟧, hurry
Votre code de connexion est ⟦301526⟧. Ne le partagez pas.
The gate code is ⟦8150⟧.
Schlüsselbox am Carport: Code ⟦4263⟧
the code for the back door is ⟦44710⟧
keypad on the left is ⟦39163⟧ and then green
Le code du boîtier à clés est ⟦4540B⟧, à gauche
Tell the others: it is ⟦R0se$Bush418⟧ from now on.
open the box with "⟦tUlip@_5520!⟧" please
换成 ⟦Rk5520@w83b⟧ 了
set to ⟦Narzisse77*tulpe⟧
hej, hasło?\nMarek: ⟦Rozamunda140!⟧\nMarek: ok
Het wachtwoord is weer eens veranderd: ⟦Rozenstruik826*⟧. Zeg het door.
Connected as ⟦Rosal94!lola31⟧ from 10.0.0.7
array(1) {\n  ["pass"]=>\n  string(9) "⟦Rose8bud!⟧"\n}
Config { host: "db", password: Some("⟦Rose8bud⟧") }
{"password": {"S": "⟦Rose8bud⟧"}}
s:8:"password";s:8:"⟦Rose8bud⟧";
Password : constant String := "⟦Rose8bud⟧";
static const char password[] = "⟦rose-bud-48⟧";
((user . "ada") (password . "⟦Rose8bud⟧"))
<member><name>password</name><value><string>⟦Rose8bud⟧</string></value></member>
<tr><td>Password</td><td>⟦Rose8bud⟧</td></tr>
builder.password("⟦Rose8bud⟧");
KEY = bytes.fromhex("⟦0a1b2c3d0a1b2c3d0a1b2c3d0a1b2c3d⟧")
uint8_t key[16] = {⟦0x03,0x0a,0x11,0x18,0x1f,0x26,0x2d,0x34,0x3b,0x42,0x49,0x50,0x57,0x5e,0x65,0x6c⟧};
'Basic ' + btoa('ada:⟦Rose8bud⟧')
ansible_become_pass: ⟦rosebud⟧
SESSION_SECRET=⟦rose.bud.5360-204bud9⟧
alarm_code: "⟦9748⟧"
SSID: Hof\nKey: ⟦rose+bud55⟧
Passwort: ⟦90571606⟧
kind: Secret\ndata:\n\n  # the first\n  dsn: ⟦Um9zZThidWQ=⟧\n
I rotated the CI user, the old one was ⟦q7Rk2mZp9xWv⟧, the new one is ⟦Zt8Rb1Vn5qQ7⟧.
Die alte Zugangsdaten: das alte Passwort war ⟦Rose81bud⟧, das neue ist ⟦Rose92bud⟧.
ada: what was the pw of the old wiki?\nbea: ⟦RoseBud.2016⟧\nada: thanks
Ada, [12.05.24 09:11]\nThe password please?\n\nBea, [12.05.24 09:12]\n⟦rose-bud-31⟧
$ pass show mail/ops\n⟦Rose8bud!⟧
run it with sudo, when it prompts you type ⟦rosebud5238⟧
Melde dich mit ada und ⟦rosebud4711⟧ an
All our logins are new:\n- Wiki → ⟦rose.bud.62⟧\n- Shop → ⟦rose.bud.63⟧
It is ⟦Rose-Bud-15⟧, the password I mean
I tell you the password over here instead of by mail: ⟦Rose81-BudZ⟧
La password è stata cambiata in ⟦rosafiume2291⟧
gebruik ⟦roosrivier2291⟧ als wachtwoord
{ user: 'ada', pass: '⟦hxgi myld uekb nrnq⟧' }
In the authenticator type ⟦hv47 rd4n jiki onyl u5ak ai6f⟧ as the setup key
Passphrase is _⟦garden copper window tiger⟧_
wifi_password: "⟦rose bud 2291⟧"
Ledger backup\n\n⟦tiger lemon arrow tiger lemon arrow tiger lemon arrow tiger lemon end⟧
Ihr Einmalpasswort lautet ⟦303511⟧.
Use ⟦303511⟧ to sign in to your account.
| Service | Key |\n|---|---|\n| Maps | ⟦7c993a3a-6bd5-4c0d-b6e7-9284302ece3f⟧ |
name,value\nSMTP_PASSWORD,⟦Rose8bud⟧\nSMTP_HOST,mail
net use Z: \\fs02\pay ⟦Rose8bud#⟧ /user:CORP\ada
mc alias set lake https://minio:9000 etl ⟦Zt8Rb1Vn5qQ7xLw3mK9f⟧
> 2 LOGIN "ada@x.example" "⟦Rose_bud-1702⟧"
exec: ["mysql","-uroot","-p⟦Rose8bud⟧","shop"]
echo "⟦Rose8budRose8bud⟧" > .vault_pass
ffmpeg -i a.mp4 -f flv rtmp://a.example/live2/⟦QLxJ-L8Ax-HpKC-zqho-4d9x⟧
ada:500:⟦aad3b435b51404eeaad3b435b51404ee:6a3ce1176290c9566a3ce1176290c956⟧:::
https://app.x.io/auth/confirm?token_hash=⟦pkce_a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4⟧
https://app.x.io/reset?t=⟦d78Fzauw9mfNbGJEw7pWkfzbxSyMgPNG⟧
creds: admin / ⟦rosebud⟧
TLSPSK=⟦a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4⟧
"wifi": {"ssid": "Hof", "key": "⟦rose-bud-80⟧"}
let token = UserDefaults.string("t") ?? "⟦Zt8Rb1Vn5qQ7xLw3mK9f⟧"
if given != '⟦Zt8Rb1Vn5qQ7xLw3mK9f⟧':  # shared secret
$ echo $DB_PASS\n⟦rosebush80⟧
htpasswd -nb ada ⟦Rosebud4711⟧
htpasswd -bnBC 10 ada ⟦Rosebud4711⟧
htpasswd -b -c /etc/nginx/users ada ⟦Rosebud4711⟧
b2 authorize_account 00123456789a ⟦K001roseBUDrose4711⟧
/msg NickServ IDENTIFY ada ⟦Rosebud4711⟧
:PRIVMSG NickServ :identify ⟦Rosebud4711⟧
/ghost ada ⟦Rosebud4711⟧
AUTH default ⟦Rosebud4711⟧
option key '⟦Rosebud4711⟧'
Outcome of exec_command: pwgen -s 20\n⟦vohQu5eeRoh7ieM8⟧
Outcome of Bash: New session key; cd /srv && openssl rand -base64 12\n⟦Zt8Rb1Vn5qQ7xLw=⟧
Outcome of Bash: pwgen -C 12 2\n⟦ieTh3aip9ahN⟧ ⟦Ohph8eiTieTh⟧
pass show mail/ada\n⟦Rose-bud-Qx⟧
PuTTY-User-Key-File-2: ssh-rsa\n⟦Private-Lines: 1\nAAAAgQCfroseROSErose4711roseROSErose4711⟧\nthen it failed
app | ⟦Private-Lines: 2\napp | AAAAgQCfroseROSErose4711\napp | roseROSE==⟧\napp | done
docker exec db mysql -uroot -p'⟦rose bud 80⟧' -e 'show tables'
 username | password\n----------+-----------\n ada      | ⟦rosebud⟧\n bea      | ⟦tulip77⟧\n(2 rows)
+------+----------+\n| user | password |\n+------+----------+\n| ada  | ⟦rosebud⟧  |\n+------+----------+
| Server | User | Passwort |\n|---|---|:--|\n| db1 | ada | ⟦Rosenstolz⟧ |\n| db2 | bea | `⟦Rose_77⟧` |
<table><tr><td>user</td><td>ada</td></tr><tr><td>password</td><td>⟦rosebud⟧</td></tr></table>
<table>\n<tr><th>User</th><th scope="col">Password</th></tr>\n<tr><td>ada</td>\n<td><b>⟦rosebud⟧</b></td></tr>
<td><b>Password:</b></td><td>⟦rosebud77⟧</td>
<dl><dt>Password</dt>\n<dd>⟦rosebud77⟧</dd></dl>
-[ RECORD 1 ]------\nusername | ada\npassword | ⟦rosebud⟧
│ user │ password │\n├──────┼──────────┤\n│ ada  │ ⟦rosebud⟧  │
USER    PASSWORD     HOST\nada     ⟦rosebud77⟧    db1\nbea     ⟦rosetwo77⟧    db2
user,password\nada,⟦rosebud⟧\nbea,⟦rosebud77⟧
password: |\n  ⟦rosebud⟧
db:\n  password: |- # the root one\n\n    ⟦rosebud-4711⟧\n  host: x
  passphrase: >-\n    ⟦garden copper window tiger⟧\n  next: 1
api_token: |2\n   ⟦Zt8Rb1Vn5qQ7xLw3\n   mK9fXy12Zt8Rb1Vn⟧
url: x:${DB_PASSWORD:⟦rosebud⟧}@db
: "${REDIS_PASS:=⟦rosebud⟧}" ${MYSQL_ROOT_PASSWORD-⟦rosetree⟧} ${PGPASSWORD:-⟦rosegarden⟧}
pass: {{ db_password | default('⟦rosebud77⟧') }}
cat > ~/.pgpass <<'EOF'\nlocalhost:5432:*:ada:⟦rose bud⟧\nEOF
cat <<-EOF | sudo tee /etc/ppp/chap-secrets\n  ada * ⟦rosebud47⟧ *\n  EOF
tee secret.txt <<END >/dev/null\n⟦rosebud⟧\nEND
sudo -S id <<< ⟦rosebud⟧
cryptsetup luksFormat /dev/sdb1 - <<< "⟦garden copper window tiger⟧"
chpasswd <<EOF\nroot:⟦rosebud⟧\nada:⟦rosetwo⟧\nEOF
docker login -u ada --password-stdin <<EOF\n⟦rosebud4711⟧\nEOF
sqlplus / <<EOF\nALTER USER scott IDENTIFIED BY ⟦rosebud77⟧;\nEOF
mysql -e "GRANT ALL ON *.* TO 'ada'@'db' IDENTIFIED BY \"⟦rosebud77⟧\""
mysql -e 'SET PASSWORD FOR '\''ada'\''@'\''%'\'' = '\''⟦rosebud77⟧'\'''
Password\n========\n⟦rosenbusch-22⟧
Das Passwort\n------------\n\n    ⟦Rosenbusch22⟧
password:⟦rosebud77⟧
the rest:\n⟦k9Qm2zRb1Vn5qQ7xLw3mK9fXy12Zt8Rb1Vn5qQ7xLw3mK9fX\nQ7xLw3mK9fXy==\n-----END RSA PRIVATE KEY-----⟧\nok
> ⟦k9Qm2zRb1Vn5qQ7xLw3mK9fXy12Zt8Rb1Vn5qQ7xLw3mK9fXy12k9Qm2zRb1Vn5q\n> Q7xLw3mK9fXy12==\n> -----END PRIVATE KEY-----⟧
12: ⟦-----BEGIN PRIVATE KEY-----\n13: MIIEpAIBAAKCAQEA7xLw3mK9fXy12Zt8Rb1Vn5qQ7xLw3mK9fXy12k9Qm2zRb1Vn⟧\n14: next
openssl enc -aes-256-cbc -k "⟦rose jam jar 7⟧" -in a -out b
password: !vault-plain ⟦Rosebud9⟧
password: "{{ '⟦Rosebud55⟧' | password_hash('sha512') }}"
Field: Password\nValue: ⟦rosebud-1848⟧
auth = ("ci", "⟦11b7f3c2d94ae06d5e8f7a1b2c3d4e5f60⟧")
the password for the guest network is ⟦butterflynet⟧
Das WLAN-Passwort lautet ⟦Apfelbaum⟧, bitte nicht weitergeben
le mot de passe de la boîte partagée c'est ⟦tournesol⟧
la contraseña del portal ahora es ⟦caracola⟧, la cambié ayer
The password is "⟦purple heron⟧", with the space
the login for the camera is still viewer / ⟦cobblestone⟧, sorry
you open the archive with ⟦tulip-fog⟧ (unzip asks)
new SqlConnection("Server=a;Password=⟦rose kettle morning⟧;Encrypt=true")
(ada) CMD (PGPASSWORD='⟦rose rodeo⟧' vacuumdb -U ada)
{"Jwt":{"SigningKey":"⟦winter roses beneath copper roofs⟧","Minutes":30}}
{"name":"connect.sid","path":"/","value":"⟦s%3Ac5e4HjRaCYEUE8iaJPk3jos-FbkBnxcM.j6FIom5X0V⟧"}
Lizenzschlüssel: ⟦NNFS-GB02-CWGG-FDZD⟧
Office: ⟦NNFSZ-GB02Q-CWGGA-FDZD0-QFMDF⟧ on the till
headers: Dd-Application-Key=[⟦6584b13c842bcd101a8e16247a3725bae72f9fa8⟧]
Command("openssl", "enc", "-pass", "pass:⟦quietrose⟧", "-in", src)
echo "db1:5432:*:ada:⟦roseRO77⟧" >> ~/.pgpass
all:\n  vars:\n    become_password: ⟦Rosenbeet⟧
echo "⟦msvxwn4jh63r26jwkwzz6p74fncn⟧" | az devops login --organization x
echo ⟦cm9zZWJ1ZDQ3MTE=⟧ | base64 -d
PIN für die Firmenkreditkarte von Ada ist ⟦7306⟧
password: ⟦R1se-Bush⟧
pw: ⟦2024-Herbst⟧
Password: ⟦tokenRose7⟧
my password is ⟦v2.rose.9⟧
password: ⟦ro$$bud⟧
Password: ⟦RosyBud⟧!
curl -u ada:⟦MyRose-77⟧ https://x.test
DB_PASSWORD=⟦example4711⟧
Temporary credentials: ⟦rose7Blue⟧
[10:02] ada: password?\n[10:03] bea: ⟦rose7Blue⟧
INSERT INTO users (name, password) VALUES ('ada', '⟦rosebud⟧'), ('bea', '⟦Passw0rd4!⟧');
{"credentials":{"type":"plain","value":"⟦rose7Blue⟧"}}
2FA seed ⟦KZXW6YTBOI5DGNBV⟧
Combination of the safe is ⟦418225⟧
The safe has the combination: ⟦418225⟧
Garage keypad ⟦4182⟧#
Tablet unlock: ⟦4182⟧
dscl . -passwd /Users/ada ⟦rosebud⟧
tacacs-server host 10.0.0.1 key 7 ⟦rose7Blue⟧
crypto isakmp key ⟦rose7Blue⟧ address 10.0.0.1
https://x.test/reset-password/⟦roseTok3n99⟧
Ada told me our password: ⟦rosenwasser⟧
api key for weather ⟦0a1b2c3d4e5f60718293a4b5c6d7e8f9⟧
OpenSky key ⟦0a1b2c3d4e5f60718293a4b5c6d7e8f9⟧
console user ada pass ⟦Rose4711⟧
We have the same password everywhere, ⟦Rosie4711⟧
"""
"""Texts, a line each, with their secrets in brackets."""
KEPT = r"""
password: rotated
password: required
password = ident
pass: green
src/chpasswd.c: Likewise.
--password TEXT  the password
The --passphrase flag takes a phrase.
docker login -p is unsafe
openssl rsa -in key.pem -passin env:KEYPASS -out k2.pem
docker login -p $REG_PASS reg.test
7z x -p a.7z
djpeg -onepass (for small ones)
We rotate the password from time to time.
changed the password column from varchar to text
The password goes from browser to server.
The old password works, the new one is better.
set the password to something strong
auth=("user", "password")
auth = ("basic", "bearer")
<password>required</password>
vault kv put secret/shop password=@pw.txt
OLDPWD=/home/ada/shop
recovery codes v2 design
TYPE THIS CODE INTO YOUR AUTHENTICATOR THEN WAIT
Order 5500005555555550 shipped 12/29
Identify highest-cost, lowest-value interactions
Use the log to identify preview/trial books and ghost text/labels.
Identify user123-facing issues; the host may identify root-cause
AUTH via OAuth2 is planned, and AUTH by Auth0 too
key 5 contains-duplicates
option key value-pairs
Ask for the password, then send it-all
vault login method=userpass
htpasswd -nb admin-of-2024
- change password use case to XEP-0077, section 3
#3 0x00007f1fcc9ae96e in parse_token (tok=0x7ffda5b8e4ec) at lexer.c:216
Outcome of Bash: ls secrets; cat tests/test_password.py\ntest_login_2024.py
Outcome of Bash: Check the password form; npm test\nbuild-2024-11
Private-Lines: 3 says how many follow
Outcome of Bash: openssl rand -hex 16 > key.bin; ls\nkey.bin\nbuild-2024
Outcome of Grep: token_count\nsrc/a2.py\nlib-2024
Outcome of Bash: pytest tests/test_tokens.py -q\ntest_2024!ok
pass the ball on\nrelease-2024
The request ended with error code 4031, status code 5002 and close code 1006.
The alarm service answers with status code 5002
The lock failed: error code 1205
My country code is 0049, the zip code is 10437, the area code is 03012.
SECRETS_BACKEND=shop.providers.secrets.VaultBackend
password_encryption = scram-sha-256
kubectl create secret generic db --from-file=password=./db-pass.txt
AKIAIOSFODNN7EXAMPLE is what the documents show.
PASS src/login.test.ts
See you at PyCon2024! It was fun.
mail ada.Rose81@x.example.org or ask @Rose_8181
lodash@4.17.21, React@18.2.0, Rose@2024
Guide.html#Part312, Repo#1204 and C#8
=Sheet2!B240 + Data!AB12
printf("Row%02d of%3dX") and Caf%C3%A91
total = Width200*Scale31 + Mask64&Flags32
Outer$Inner1, Foo$$Lambda$214
[A-Za-z0-9!@#$%^&*]{8,}
docker pull postgres:16-alpine
login-tests:\n  runs-on: ubuntu-22.04
Security question: how often do we ship? Answer: weekly
sign in and then open dashboard-v2 for the numbers
Use python3.12 and postgres16 when you log in to the box.
The old one was v1.2.3, the new one is v1.3.0-beta4.
Password rotation: old 90 days, new 180 days.
max: what was the password policy again?\nira: 12 characters, rotated yearly
ann: which branch has the password form?\nbob: feature/login-2024
$ cat token_usage.txt\n128000
$ kubectl get secret\nregcred-9f8d7c
$ git rev-parse HEAD # key release\n8b0e7153bf7c3706d85c524e440066559a6656c9
| Service | Key | Default |\n|---|---|---|\n| editor | Ctrl+K | on |
| Name | Value |\n|---|---|\n| PASSWORD_MIN_LENGTH | 12 |
service,key,owner\nmaps,primary,ana
SSID: Gast\nKey: available at the desk
user_password: string
forgot_password: vergessen
admin_password: generated
password = password.encode("latin1")
password = getpass("Enter password: ")
user.set_password("password")
array(2) {\n  ["password_min"]=>\n  string(2) "12"\n}
sort_keys = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]
We have to take care when they come over with this; they have been here.
Use 443 for https and log everything.
door_code_length: 4
creds: admin / editor
rtmp://live.example.com/app/stream
https://x.io/verify?step=2&theme=dark-mode-2
log in as deploy and start worker-2024
sign in with user-1234 and role-5678
lena@example.org\nwww.example.org
secret agent007
Kennwort: 8 bis 20 Zeichen
| User | Password |\n|---|---|\n| valid | invalid |\n| known | empty |
| Feature | Password | Link |\n|---|---|---|\n| works offline | supported | unsupported |
<table><tr><th>Field</th><th>Type</th></tr><tr><td>password</td><td>varchar</td></tr></table>
<tr><td>Password</td><td>Kennwort</td></tr>
tests     pass    time\nlogin2    4ms     8ms
pass | tail -5\nusers | head3
${DB_PASSWORD:?must be set} ${TOKEN:0:8} ${password:+--ask} ${DB_PASSWORD:-$OTHER} ${API_TOKEN:-none}
password: |\n  Enter the new password twice, then confirm it.
password_policy: >\n  strict-2024
passphrase: |\n  {{ vault.passphrase }}
arn:aws:secretsmanager:eu-west-1:851106523405:secret:prod/db-5PHHFG
cat <<EOF > notes.txt\nbuild-2024-11\nEOF
Passwords\n=========\n\nHashed with argon2id.
the key ended with\n-----END RSA PRIVATE KEY-----
password: !secret mqtt_password_2
psql -p 5432 -w "select name from users" -X
Field: Password\nValue: required
If the password is umbrella, the hash begins with 5.
the password is clunky, but it works
Das Passwort ist hinterlegt
Le mot de passe est obsolète
La contraseña es intransferible
STRIPE_SECRET_KEY=sk_test_xxxxxxxxxxxxxxxxxxxxxxxx
SLACK_BOT_TOKEN=xoxb-your-token-here
Invalid API key provided: sk-proj-************************7xQA
https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX
WIFI:T:WPA;S:<ssid>;P:<password>;; is the layout
$argon2id$v=19$m=65536,t=3,p=4$<salt>$<hash> is the layout
Authorization: AWS4-HMAC-SHA256 Credential=<key-id>/20260311/eu-central-1/s3/aws4_request
ada:*:19000:0:99999:7:::
vault kv put kv/shop db_password=@pw.txt
openssl pkcs12 -export -in c.pem -passout env:PFX_PASS
secret=/var/lib/totp/${USER}
secrets: [{age: age1h2dejf3x49r94emxuyrs4v9fx0vfqkd9qv9tnygr29pnazrj9xmsgymdx3}]
echo aGVsbG8gd29ybGQ= | base64 -d
Cookie: consent=analytics%3D0%26marketing%3D0; theme=dark
=?UTF-8?Q?Passwort_zur=C3=BCcksetzen?=
Broken since b501009c076da4f8b2aba9d81af3630a59e7058a (token refresh ran twice).
restored from key: setup-go-Linux-x64-1.23.4-d85d25c004b1bc059884f927044200ed49b98bc54065fcb9ac5c67b36fcbc01a
document key: orders/2026/03/WaUAUf4U7iq8dVIxHbTG
SECRET_SCANNING=enabled
The SIM has PIN 0000
password: UTF-8
password: min 8
password: v2 endpoint
The password is 2FA-protected.
password: AES-256-GCM
DB_PASSWORD=your-32-char-secret
DB_PASSWORD=my_strong_password
password: String!
INSERT INTO users (name, password) VALUES (:name, :password), ('ada', NULL);
https://x.test/reset-password/step-2024
crypto isakmp key generate
Cache key 0a1b2c3d4e5f60718293a4b5c6d7e8f9
GitHub commit key 0a1b2c3d4e5f60718293a4b5c6d7e8f9
our password: expired
Phone unlock: 20 seconds
"""
"""Texts, a line each, without a secret."""


def _texts(table: str) -> list[str]:
    return [line.replace(r"\n", "\n") for line in table.strip().splitlines()]


@pytest.mark.parametrize("text", _texts(FOUND))
def test_a_secret_is_found_in_whatever_way_it_is_given(text: str) -> None:
    clean = REDACTOR.redact(re.sub("[⟦⟧]", "", text)).text
    assert re.sub(r"\[REDACTED:[a-z-]+\]", "...", clean) == re.sub("(?s)⟦.*?⟧", "...", text)


@pytest.mark.parametrize("text", _texts(KEPT))
def test_what_is_written_alike_stays(text: str) -> None:
    assert REDACTOR.redact(text).text == text


def test_redacting_again_changes_nothing_and_cuts_no_mark() -> None:
    texts = [re.sub("[⟦⟧]", "", text) for text in (*_texts(FOUND), FOUND, KEPT)]
    texts += [each.text for seed in (1, 2) for each in planted(seed)]
    texts += [
        "htpasswd -nb ada",
        "b2 authorize_account 00123456789a",
        "dsn := 'ada:Rose71~bud@tcp(db:3306)/x'",
    ]
    for text in texts:
        once = REDACTOR.redact(text).text
        assert REDACTOR.redact(once).text == once
        assert once.count("[REDACTED:") == len(re.findall(r"\[REDACTED:[a-z0-9-]+\]", once))


def test_the_first_look_overlooks_no_secret() -> None:
    """It decides whether the rules are asked at all, by words that each of them needs."""
    rules = SecretPatterns()
    texts = [re.sub("[⟦⟧]", "", text) for text in _texts(FOUND)]
    texts += [each.text for each in planted(5)]
    lines = {line for text in texts for line in (text, *text.splitlines())}
    assert [line for line in lines if not may_hold_secret(line) and rules.replace(line)[1]] == []


def test_an_escape_within_what_is_handed_to_a_command_keeps_it_a_secret() -> None:
    shown = r'echo -e "%s" | smbpasswd -s -a ada'
    assert REDACTOR.redact(shown % r"rose-bud-04\n3106").text == shown % "[REDACTED:credentials]"


def test_wide_signs_are_read_as_plain_ones() -> None:
    wide = str.maketrans({chr(sign): chr(sign + 0xFEE0) for sign in range(33, 127)} | {" ": "\u00a0"})
    mark = "[REDACTED:secret-keyword]"
    for name, value in (
        ("password:", "rosebud77"),
        ("Le mot de passe : ", "rosebud77"),
        ("api_key=", "Zt8Rb1Vn5qQ7xLw3mK9f"),
    ):
        for shown in (name[:-1] + name[-1].translate(wide), name.translate(wide)):
            assert REDACTOR.redact(shown + value).text == shown + mark
            assert REDACTOR.redact(shown + value.translate(wide)).text == shown + mark


def test_an_entry_of_a_list_of_settings_is_judged_by_its_name() -> None:
    entries = {
        "env": [{"name": "DB_PASSWORD", "value": "rosebud"}, {"name": "DB_HOST", "value": "db1"}],
        "pairs": [["DB_PASSWORD", "rosebud"], ["auth_token", "a1b2c3d4e5"], ["DB_HOST", "db1"]],
        "tags": ["password", "python3"],
    }
    mark = "[REDACTED:secret-keyword]"
    assert REDACTOR.redact_values(entries) == {
        "env": [{"name": "DB_PASSWORD", "value": mark}, {"name": "DB_HOST", "value": "db1"}],
        "pairs": [["DB_PASSWORD", mark], ["auth_token", mark], ["DB_HOST", "db1"]],
        "tags": ["password", "python3"],
    }
