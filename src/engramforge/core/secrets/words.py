"""Words for a password in languages of which the rules know no more than these; light enough for a first look."""

from __future__ import annotations

from typing import Final

_WORDS: Final = (
    "code wifi|code wi-fi|senha|wachtwoord|lösenord|adgangskode|salasana|hasło|heslo|parola|şifre|пароль"
    "|пароля|密码|密碼|口令|パスワード|暗証番号|비밀번호|암호|jelszó|κωδικός|סיסמה|mật khẩu|kata sandi"
)
PASSWORDS_ABROAD: Final = tuple(_WORDS.split("|"))
